package tlstax.worker;

/** Why a case has no figure: the library has no such thing, or it went wrong at a stage. */
final class JobError extends Exception {
    private static final long serialVersionUID = 1;

    /** prepare, run or proof; null where the library has no such thing. */
    final String stage;

    private JobError(String stage, String message, Throwable cause) {
        super(message, cause);
        this.stage = stage;
    }

    static JobError unsupported(String reason) {
        return new JobError(null, reason, null);
    }

    static JobError failed(String stage, String message) {
        return new JobError(stage, message, null);
    }

    /** An error of the library while `doing` something; one that has a stage, and a hole, stay what they are. */
    static JobError failed(String stage, String doing, Throwable cause) {
        return cause instanceof JobError known ? known : new JobError(stage, doing + ": " + describe(cause), cause);
    }

    /** An exception in one line. */
    static String describe(Throwable error) {
        String message = error.getMessage() == null ? "" : ": " + error.getMessage().replace('\n', ' ');
        return error.getClass().getSimpleName() + message;
    }

    boolean isUnsupported() {
        return stage == null;
    }

    /** The same error, told as one of another stage. */
    JobError at(String other) {
        return isUnsupported() ? this : new JobError(other, getMessage(), getCause());
    }
}
