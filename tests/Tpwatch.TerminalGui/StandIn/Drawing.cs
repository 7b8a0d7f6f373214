namespace Terminal.Gui.Drawing;

public readonly record struct Attribute
{
    public Attribute(in Color foreground, in Color background, in TextStyle style) =>
        (Foreground, Background, Style) = (foreground, background, style);

    public Color Foreground { get; init; }

    public Color Background { get; init; }

    public TextStyle Style { get; init; }
}

public readonly partial record struct Color
{
    public static readonly Color None = new(255, 255, 255, 0);

    public Color(int red = 0, int green = 0, int blue = 0, int alpha = byte.MaxValue) =>
        (R, G, B, A) = ((byte)red, (byte)green, (byte)blue, (byte)alpha);

    public byte R { get; }

    public byte G { get; }

    public byte B { get; }

    public byte A { get; }
}

[Flags]
public enum TextStyle : byte
{
    None = 0b_0000_0000,
    Bold = 0b_0000_0001,
    Faint = 0b_0000_0010,
    Italic = 0b_0000_0100,
    Underline = 0b_0000_1000,
    Blink = 0b_0001_0000,
    Reverse = 0b_0010_0000,
    Strikethrough = 0b_0100_0000,
}
