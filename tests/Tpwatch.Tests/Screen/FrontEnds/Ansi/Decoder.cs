using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Tpwatch.Screen.Canvas;

namespace Tpwatch.Tests.Screen.FrontEnds.Ansi;

/// <summary>A terminal that knows the sequences we emit and fails on any other.</summary>
sealed partial class Decoder(CellGrid start)
{
    readonly Style[] palette = [Style.Plain];
    int x;
    int y;
    Style style = Style.Plain;

    public CellGrid Grid { get; private set; } = Copy(start);

    public bool InUpdate { get; private set; }

    public Style Now => style;

    public void Feed(string text)
    {
        for (var i = 0; i < text.Length;)
        {
            var sequence = Sequence().Match(text, i);
            if (sequence.Success)
            {
                Obey(sequence.Groups[1].Value, sequence.Groups[2].Value[0]);
                i += sequence.Length;
                continue;
            }

            Assert.False(char.IsControl(text[i]), $"control character {(int)text[i]} in a frame");
            var rune = Rune.GetRuneAt(text, i);
            Assert.True(x < Grid.Width && y < Grid.Height, $"wrote at ({x}, {y}) of {Grid.Width}x{Grid.Height}");
            Grid[x++, y] = new Cell(rune, style.Fg, style.Bg, style.Attr);
            i += rune.Utf16SequenceLength;
        }
    }

    static CellGrid Copy(CellGrid from)
    {
        var to = new CellGrid(from.Width, from.Height);
        for (var i = 0; i < from.Width * from.Height; i++)
        {
            to[i % from.Width, i / from.Width] = from[i % from.Width, i / from.Width];
        }

        return to;
    }

    void Obey(string arguments, char final)
    {
        switch (final, arguments)
        {
            case ('h', "?2026"): InUpdate = true; break;
            case ('l', "?2026"): InUpdate = false; break;
            case ('J', "2"): Grid = new CellGrid(Grid.Width, Grid.Height); break;
            case ('H', _):
                var at = Numbers(arguments);
                (y, x) = (at[0] - 1, at[1] - 1);
                break;
            case ('m', _): style = Look(Numbers(arguments)); break;
            default: Assert.Fail($"unknown sequence {arguments}{final}"); break;
        }
    }

    Style Look(int[] codes)
    {
        var now = style;
        for (var i = 0; i < codes.Length; i++)
        {
            now = codes[i] switch
            {
                0 => palette[0],
                1 => now with { Attr = now.Attr | Attr.Bold },
                2 => now with { Attr = now.Attr | Attr.Faint },
                4 => now with { Attr = now.Attr | Attr.Underline },
                7 => now with { Attr = now.Attr | Attr.Reverse },
                >= 30 and <= 37 => now with { Fg = Colour.Palette(codes[i] - 30) },
                >= 40 and <= 47 => now with { Bg = Colour.Palette(codes[i] - 40) },
                >= 90 and <= 97 => now with { Fg = Colour.Palette(codes[i] - 90 + 8) },
                >= 100 and <= 107 => now with { Bg = Colour.Palette(codes[i] - 100 + 8) },
                38 => now with { Fg = TrueColor(codes, ref i) },
                48 => now with { Bg = TrueColor(codes, ref i) },
                _ => throw new InvalidOperationException($"unknown look {codes[i]}"),
            };
        }

        return now;
    }

    static int TrueColor(int[] codes, ref int i)
    {
        Assert.Equal(2, codes[i + 1]);
        i += 4;
        return codes[i - 2] << 16 | codes[i - 1] << 8 | codes[i];
    }

    static int[] Numbers(string text) => [.. text.Split(';').Select(n => int.Parse(n, CultureInfo.InvariantCulture))];

    [GeneratedRegex("\\G\e\\[([?0-9;]*)([A-Za-z])")]
    private static partial Regex Sequence();
}
