using Terminal.Gui.Drawing;
using Tpwatch.Screen.State;
using Tpwatch.Text;
using Attribute = Terminal.Gui.Drawing.Attribute;

namespace Tpwatch.Screen.Views;

/// <summary>The looks of the screen as the library has them.</summary>
sealed class Looks
{
    readonly Scheme[] schemes;
    readonly Scheme[] still;

    /// <summary>Takes over a look.</summary>
    public Looks(Look look)
    {
        Look = look;
        schemes = [.. Enum.GetValues<Role>().Select(SchemeOf)];
        still = [.. schemes.Select(s => s with { Active = s.Normal, Focus = s.Normal })];
    }

    /// <summary>What they were made of.</summary>
    public Look Look { get; }

    /// <summary>How views look whose text has a role; what is selected is told apart by the same look everywhere.</summary>
    public Scheme this[Role role] => schemes[(int)role];

    /// <summary>The same, where nothing can be selected.</summary>
    public Scheme Of(Role role, bool canSelect) => canSelect ? schemes[(int)role] : still[(int)role];

    /// <summary>A style of a drawing.</summary>
    public static Attribute Of(Style style) => new(Ink(style.Fg), Ink(style.Bg), TextOf(style.Attr));

    Scheme SchemeOf(Role role)
    {
        var (text, selected) = (Of(Look.Theme[role]), Of(Look.Theme[Role.Selection]));
        var field = text with { Style = text.Style | TextStyle.Underline };
        return new()
        {
            Normal = text, Focus = selected, Active = selected, Highlight = selected, HotNormal = Of(Look.Theme[Role.KeyName]),
            HotFocus = selected, HotActive = selected, Editable = field, ReadOnly = text, Disabled = Of(Look.Theme[Role.Faint]),
        };
    }

    // The terminal counts its sixteen colours in another order than the library.
    static Color Ink(int colour) => colour == Colour.Own ? Color.None
        : Colour.IsPalette(colour, out var index)
            ? new((ColorName16)((index & 8) | ((index & 1) << 2) | (index & 2) | ((index & 4) >> 2)))
            : new(colour >> 16 & 0xFF, colour >> 8 & 0xFF, colour & 0xFF);

    static TextStyle TextOf(Attr attr) =>
        (attr.HasFlag(Attr.Bold) ? TextStyle.Bold : 0) | (attr.HasFlag(Attr.Faint) ? TextStyle.Faint : 0)
        | (attr.HasFlag(Attr.Underline) ? TextStyle.Underline : 0) | (attr.HasFlag(Attr.Reverse) ? TextStyle.Reverse : 0);
}
