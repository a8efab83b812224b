#!/usr/bin/perl
# Reads a level of the `fast` profile, written from exporter/docs/reference/blob-format.md alone: it shows that
# the page is enough. `perl read_level.pl FILE` prints one JSON document: the values as they are, and
# of cells the SHA-256 of 32-bit little-endian numbers.
use strict;
use warnings;
use Compress::Raw::Zlib;
use Digest::SHA qw(sha256_hex);
use JSON::PP;

my ($MOST_CELLS, $MOST_TEXT) = (1 << 26, 1 << 24);
open my $in, '<:raw', $ARGV[0] or die "cannot read $ARGV[0]\n";
my $data = do { local $/; <$in> // '' };
my @chunks = directory();
my %known = map { $_ => 1 } qw(LEVL CELL WALK mask OPAQ VISI OBJS TABL PUZZ);
$known{ $_->{type} } || $_->{type} =~ /^[a-z]/ || die "unknown chunk $_->{type}\n" for @chunks;
my $json = JSON::PP->new->utf8->max_depth(64)->canonical;
print summary(text_of('LEVL') // die "no level\n"), "\n";

# The directory as a list of entries, all that can be checked at once checked.
sub directory {
    die "no level blob\n" if length $data < 24 || substr($data, 0, 8) ne "\x8fLVB\r\n\x1a\n";
    my ($major, $minor, $flags, $count, $length, $check) = unpack 'x8 C C v V V V', $data;
    die "version $major\n" if $major != 1;
    die "flags\n" if $flags & 255;
    my $end = 24 + 32 * $count;
    die "length\n" if $length != length $data || $end > $length;
    my $entries = substr $data, 24, 32 * $count;
    die "damaged directory\n" if crc32(substr($data, 0, 20) . $entries) != $check;
    my @fields = qw(type codec element level item part offset length check width height side prior);
    my @found;
    for my $entry (unpack '(a32)*', $entries) {
        my %chunk;
        @chunk{@fields} = unpack 'a4 C C v v v V V V v v v v', $entry;
        die "payloads\n" if $chunk{offset} < $end || $chunk{offset} + $chunk{length} > $length;
        $end = $chunk{offset} + $chunk{length};
        push @found, \%chunk;
    }
    return @found;
}

# The chunks of the first level with a type and item, in order.
sub find {
    my ($type, $item) = @_;
    return grep { $_->{type} eq $type && $_->{level} == 0 && $_->{item} == $item } @chunks;
}

sub payload {
    my ($chunk) = @_;
    my $bytes = substr $data, $chunk->{offset}, $chunk->{length};
    die "damaged $chunk->{type}\n" if crc32($bytes) != $chunk->{check};
    return $bytes;
}

# Inflates a stream that must end with the bytes and give no more than so many.
sub inflate {
    my ($stream, $most) = @_;
    my $engine = Compress::Raw::Zlib::Inflate->new(-LimitOutput => 1, -Bufsize => $most + 1);
    my $status = $engine->inflate($stream, my $out);
    die "no zlib stream\n" if $status != Z_STREAM_END || length $stream || length $out > $most;
    return $out;
}

# The JSON text of a chunk, nothing where there is none.
sub text_of {
    my ($chunk) = find($_[0], 0) or return undef;
    die "codec $chunk->{codec}\n" if $chunk->{codec} != 21;
    return inflate(payload($chunk), $MOST_TEXT);
}

# The [start, length] of parts along a side.
sub cuts {
    my ($length) = @_;
    my $last = (int(($length + 128) / 256) || 1) - 1;
    return map { [256 * $_, $_ < $last ? 256 : $length - 256 * $_] } 0 .. $last;
}

# The cells of a grid from all its parts.
sub grid {
    my ($type, $item, $width, $height) = @_;
    die "too many cells\n" if $width * $height > $MOST_CELLS;
    my (@own, @grid) = find($type, $item);
    my $number = 0;
    for my $row (cuts($height)) {
        for my $column (cuts($width)) {
            my $chunk = shift @own or die "a part is missing\n";
            die "parts do not fit\n" if $chunk->{part} != $number++ || $chunk->{element} > 3
                || $chunk->{width} != $column->[1] || $chunk->{height} != $row->[1];
            my @cells = cells_of($chunk);
            for my $y ($row->[0] .. $row->[0] + $row->[1] - 1) {
                my $at = $y * $width + $column->[0];
                @grid[$at .. $at + $column->[1] - 1] = splice @cells, 0, $column->[1];
            }
        }
    }
    die "too many parts\n" if @own;
    return @grid;
}

# The cells of a part, decoded by its codec.
sub cells_of {
    my ($chunk) = @_;
    die "the part needs another\n" if $chunk->{side} != 65535 || $chunk->{prior} != 65535;
    my ($bytes, $count, $codec) = (payload($chunk), $chunk->{width} * $chunk->{height}, $chunk->{codec});
    my ($size, $form) = @{ [[1, 'C*'], [1, 'C*'], [2, 'v*'], [4, 'l<*']]->[$chunk->{element}] };
    my $layout = $codec == 1 ? ord substr $bytes, 0, 1, '' : 0;
    my @values = $layout == 4 ? unpack 'v*', substr $bytes, 0, 2 + 2 * ord(substr $bytes, 0, 1, ''), '' : ();
    $bytes = inflate($bytes, $count * $size) if $codec == 1;
    return map { $values[$_] // die "no value\n" } unpack 'C*', $bytes if $layout == 4 && $size == 2;
    return unpacked($bytes, $codec, $count, $size, $form) if $codec == 2 || $layout == 1;
    die "codec $codec, layout $layout\n" if $codec > 1 || $layout > 3;
    die "length\n" if length $bytes != $count * $size;
    my @planes = $layout > 1 ? unpack "(a$count)$size", $bytes : ();
    $bytes = join '', map { my $at = $_; map { substr $_, $at, 1 } @planes } 0 .. $count - 1 if @planes;
    my @cells = unpack $form, $bytes;
    return $layout == 3 ? summed($chunk->{width}, @cells) : @cells;
}

# Cells from folded steps: each is W + N - NW and its step.
sub summed {
    my ($width, @cells) = @_;
    my $sum = 0;
    for my $at (0 .. $#cells) {
        $sum = 0 if $at % $width == 0;
        $sum += $cells[$at] & 1 ? -($cells[$at] >> 1) - 1 : $cells[$at] >> 1;
        $cells[$at] = (($at < $width ? 0 : $cells[$at - $width]) + $sum) & 65535;
    }
    return @cells;
}

# The cells of codec 2, or those in single bits of codec 1.
sub unpacked {
    my ($bytes, $codec, $count, $size, $form) = @_;
    my ($distinct, $shift, $byte) = (0, 0, 128);
    while ($codec == 2 && $byte > 127) {
        $byte = ord substr $bytes, 0, 1, '';
        $distinct |= ($byte & 127) << $shift;
        $shift += 7;
    }
    my $width = $codec == 1 ? 1 : $distinct == 1 ? 0 : length sprintf '%b', $distinct - 1;
    my @values = $codec == 1 ? (0, 1) : $width == 8 && $size == 1 ? (0 .. 255)
        : unpack $form, substr $bytes, 0, $distinct * $size, '';
    die "length\n" if length $bytes != int(($count * $width + 7) / 8);
    my @places = $width ? map { oct "0b$_" } unpack "(a$width)$count", unpack 'B*', $bytes : (0) x $count;
    return map { $values[$_] // die "no value\n" } @places;
}

sub digest { return sha256_hex(pack 'V*', @_) }

# Everything the level holds. The texts are JSON already, so they go out as they came.
sub summary {
    my ($text) = @_;
    my ($masks, @layers) = (0);
    my $level = $json->decode($text);
    for my $layer (@{ $level->{layers} }) {
        my @size = @{ $layer->{size} };
        my ($item, $rule) = (scalar @layers, $layer->{walkable});
        my @cells = grid('CELL', $item, @size);
        my %open = map { $_->{id} => $_->{walkable} } @{ $layer->{tiles} };
        my @walkable = !defined $rule ? () : $rule eq 'chunk' ? grid('WALK', $item, @size)
            : map { ($rule eq 'legend' ? $open{$_} : $_ >= $rule) ? 1 : 0 } @cells;
        my %masks = map { $_ => digest(grid('mask', $masks++, @size)) } @{ $layer->{masks} };
        push @layers, { cells => digest(@cells), walkable => digest(@walkable), masks => \%masks };
    }
    my @texts = map { "\"$_\":" . (text_of($_) // 'null') } qw(OBJS TABL PUZZ);
    return join ',', "{\"LEVL\":$text", @texts, '"layers":' . $json->encode(\@layers) . '}';
}
