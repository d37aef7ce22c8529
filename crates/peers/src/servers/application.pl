# A dynamic page behind FastCGI: an interpreter that stays between requests, as small sites have it.
#   perl application.pl SOCKET BYTES
use strict;
use warnings;
use FCGI;

my ($path, $bytes) = @ARGV;

my $socket = FCGI::OpenSocket($path, 1024) or die "cannot listen on $path: $!";
my $request = FCGI::Request(\*STDIN, \*STDOUT, \*STDERR, \%ENV, $socket);
my $visits = 0;

while ($request->Accept() >= 0) {
    my $page = page(++$visits, $ENV{REQUEST_URI} // '/');
    print "Status: 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ", length $page, "\r\n\r\n", $page;
}

# A page of just so many bytes: entries of a list, made one by one, and blanks for what is left.
sub page {
    my ($visit, $uri) = @_;
    my $page = "<!doctype html><title>page</title><ul>";
    my $end  = "</ul>\n";
    for (my $entry = 1; ; $entry++) {
        my %entry = (id => $entry, name => join('-', map { chr(97 + ($entry * $_) % 26) } 1 .. 8), sum => $entry * 17 % 1009);
        my $line = join '', '<li>', (map { "$_=<b>$entry{$_}</b> " } sort keys %entry), escape($uri), '</li>';
        last if length($page) + length($line) + length($end) > $bytes;
        $page .= $line;
    }
    $page .= $end;
    return substr($page . ' ' x $bytes, 0, $bytes);
}

sub escape {
    my ($text) = @_;
    my %names = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;');
    $text =~ s/([&<>])/$names{$1}/g;
    return $text;
}
