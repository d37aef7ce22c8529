# An nginx that goes wrong in one way: the real one with another configuration, or with something in front of it.
#   perl fault.pl FAULT NGINX FOLDER ARGUMENTS...
# NGINX is the real program, FOLDER has whatever a fault needs; the arguments are those that nginx was started with.
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;
use POSIX ();
use Socket qw(SOL_SOCKET SO_LINGER);

# So many connections go well: those that get a case ready. A server lives for three rounds, which may be short.
use constant LATE => 5;

my ($fault, $nginx, $folder, @arguments) = @ARGV;
exec $nginx, @arguments or die "cannot start $nginx: $!" if "@arguments" =~ /^-[vV]$/;

my ($at) = grep { $arguments[$_] eq '-c' } 0 .. $#arguments;
my $text = slurp($arguments[$at + 1]);
my ($port) = $text =~ /listen 127\.0\.0\.1:(\d+)/ or die 'no port in the configuration';

my %edits = (
    'missing-module'    => sub { $text = "load_module modules/ngx_no_such_module.so;\n$text" },
    'status-500'        => sub { $text =~ s{(server_name [^;]*;)}{$1 location / { rewrite ^ /again last; }} },
    'other-certificate' => sub {
        $text =~ s{ssl_certificate [^;]*;}{ssl_certificate $folder/server-1.pem;};
        $text =~ s{ssl_certificate_key [^;]*;}{ssl_certificate_key $folder/server.key;};
    },
    'other-suite' => sub { $text =~ s{Ciphersuites \w+}{Ciphersuites TLS_CHACHA20_POLY1305_SHA256} },
    'port-taken'  => sub { take_port() },
    'port-taken-once' => sub {
        return if -e "$folder/taken";
        take_port();
        open my $mark, '>', "$folder/taken" or die "cannot write: $!";
    },
);
my %relays = map { $_ => 1 } qw(dies resets stalls no-close-notify stubborn);

if (my $edit = $edits{$fault}) {
    $edit->();
    exec $nginx, changed();
} elsif ($fault eq 'silent') {
    print STDERR "nginx: waiting for something that never comes\n";
    sleep 1000;
} elsif ($relays{$fault}) {
    relay();
}
die "no such fault: $fault";

sub slurp {
    my ($path) = @_;
    open my $file, '<', $path or die "cannot read $path: $!";
    local $/;
    return <$file>;
}

# The arguments with the changed configuration in place of the one that was given, which lies where a server cannot write.
sub changed {
    my ($prefix) = grep { $arguments[$_] eq '-p' } 0 .. $#arguments;
    my $path = "$arguments[$prefix + 1]/changed.conf";
    open my $file, '>', $path or die "cannot write $path: $!";
    print $file $text;
    close $file or die "cannot write $path: $!";
    my @changed = @arguments;
    $changed[$at + 1] = $path;
    return @changed;
}

# Somebody else comes first, and stays as long as there is a configuration: no child of the server, nor in its group.
sub take_port {
    my $child = fork // die "cannot fork: $!";
    if ($child) {
        waitpid $child, 0;
        select undef, undef, undef, 0.01 until IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port);
        return;
    }
    POSIX::setsid();
    my $parent = $$;
    POSIX::_exit(0) if fork;
    select undef, undef, undef, 0.01 while getppid == $parent;
    my $listener = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1', LocalPort => $port) or die "cannot listen: $!";
    select undef, undef, undef, 0.05 while -e $arguments[$at + 1];
    POSIX::_exit(0);
}

# The real server listens elsewhere, and this program in its place.
sub relay {
    my $inner = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1')->sockport;
    $text =~ s/127\.0\.0\.1:$port/127.0.0.1:$inner/;
    my @command = ($nginx, changed());
    my $server = fork // die "cannot fork: $!";
    exec @command unless $server;
    my $connect = sub { IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $inner) };
    select undef, undef, undef, 0.01 until $connect->();
    $SIG{PIPE} = 'IGNORE';
    $SIG{TERM} = $fault eq 'stubborn' ? 'IGNORE' : sub { kill TERM => $server; waitpid $server, 0; exit 0 };

    my $listener = IO::Socket::INET->new(Listen => 100, LocalAddr => '127.0.0.1', LocalPort => $port) or die "cannot listen: $!";
    my $ready = IO::Select->new($listener);
    my (%other, %is_server, %pending, @stalled);
    my $count = 0;
    while (1) {
        for my $socket ($ready->can_read) {
            if ($socket == $listener) {
                my $client = $listener->accept or next;
                my $is_late = ++$count > LATE;
                if ($is_late && $fault eq 'dies') {
                    print STDERR "nginx: out of memory in a test\n";
                    kill KILL => $server, $$;
                }
                if ($is_late && $fault eq 'stalls') {
                    push @stalled, $client;
                    next;
                }
                if ($is_late && $fault eq 'resets') {
                    setsockopt $client, SOL_SOCKET, SO_LINGER, pack('ii', 1, 0);
                    close $client;
                    next;
                }
                my $inside = $connect->() or next;
                @other{$client, $inside} = ($inside, $client);
                $is_server{$inside} = 1;
                $ready->add($client, $inside);
                next;
            }
            my $peer = $other{$socket} or next;
            my $length = sysread $socket, my $bytes, 65536;
            if ($length && $fault eq 'no-close-notify' && $is_server{$socket}) {
                $bytes = without_alerts(\$pending{$socket}, $bytes);
            }
            if ($length) {
                syswrite $peer, $bytes if length $bytes;
                next;
            }
            $ready->remove($socket, $peer);
            delete @other{$socket, $peer};
            delete $pending{$_} for $socket, $peer;
            close $_ for $socket, $peer;
        }
    }
}

# The whole records of what has come, but for those that are alerts by their length: two bytes, the type and the tag.
sub without_alerts {
    my ($pending, $bytes) = @_;
    my $kept = '';
    $$pending = ($$pending // '') . $bytes;
    while (length $$pending >= 5) {
        my ($type, $length) = unpack 'C x2 n', $$pending;
        last if length $$pending < 5 + $length;
        my $record = substr $$pending, 0, 5 + $length, '';
        $kept .= $record unless $type == 21 || ($type == 23 && $length == 2 + 1 + 16);
    }
    return $kept;
}
