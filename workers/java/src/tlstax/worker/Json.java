package tlstax.worker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** As much JSON as the protocol and the file of known answers need: objects, lists, texts, whole numbers, booleans. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Reads one object. Numbers become Long, lists List, objects Map. */
    static Map<String, Object> read(String text) {
        Json reader = new Json(text);
        Map<String, Object> object = reader.object();
        reader.space();
        if (reader.at != text.length()) {
            throw reader.bad("something follows the object");
        }
        return object;
    }

    /** Writes one object of texts, whole numbers, booleans and lists of texts; what is null is left away. */
    static String write(Map<String, Object> object) {
        return object.entrySet().stream().filter(field -> field.getValue() != null)
                .map(field -> quoted(field.getKey()) + ":" + written(field.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String written(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(Json::written).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof String text ? quoted(text) : value.toString();
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    private Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        members('{', '}', () -> {
            space();
            String name = string();
            expect(':');
            object.put(name, value());
        });
        return object;
    }

    private List<Object> list() {
        List<Object> list = new ArrayList<>();
        members('[', ']', () -> list.add(value()));
        return list;
    }

    private void members(char begin, char end, Runnable one) {
        expect(begin);
        if (follows(end)) {
            return;
        }
        do {
            one.run();
        } while (follows(','));
        expect(end);
    }

    private Object value() {
        space();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw bad("no value");
        }
        at += word.length();
        return value;
    }

    private Long number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        try {
            return Long.valueOf(text.substring(start, at));
        } catch (NumberFormatException error) {
            throw bad("no whole number");
        }
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return out.toString();
            }
            out.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> codePoint();
            default -> c;
        };
    }

    private char codePoint() {
        at += 4;
        try {
            return (char) Integer.parseInt(text, at - 4, at, 16);
        } catch (NumberFormatException | IndexOutOfBoundsException error) {
            throw bad("no code point");
        }
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw bad("the line ends too early");
        }
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private boolean follows(char c) {
        space();
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char c) {
        if (!follows(c)) {
            throw bad("no '" + c + "'");
        }
    }

    private IllegalArgumentException bad(String what) {
        return new IllegalArgumentException("not JSON: " + what + " at character " + Math.min(at, text.length()));
    }
}
