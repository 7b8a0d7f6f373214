using Terminal.Gui.Drawing;
using Tpwatch.Screen.State;
using Tpwatch.Text;
using Attribute = Terminal.Gui.Drawing.Attribute;

namespace Tpwatch.Screen.Views;

/// <summary>The theme of the screen, converted to Terminal.Gui's colour schemes.</summary>
sealed class Looks
{
    readonly Scheme[] schemes;
    readonly Scheme[] still;

    /// <summary>Converts the theme of a look.</summary>
    public Looks(Look look)
    {
        Look = look;
        schemes = [.. Enum.GetValues<Role>().Select(SchemeOf)];
        still = [.. schemes.Select(s => s with { Active = s.Normal, Focus = s.Normal })];
    }

    /// <summary>The look that was converted.</summary>
    public Look Look { get; }

    /// <summary>The scheme of a view whose text has the given role; the selection looks alike in all schemes.</summary>
    public Scheme this[Role role] => schemes[(int)role];

    /// <summary>The scheme for a role; without <paramref name="canSelect"/>, focus does not change the colours.</summary>
    public Scheme Of(Role role, bool canSelect) => canSelect ? schemes[(int)role] : still[(int)role];

    /// <summary>Converts the style of a cell.</summary>
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

    // Terminal.Gui numbers the sixteen colours in another order than the terminal.
    static Color Ink(int colour) => colour == Colour.Own ? Color.None
        : Colour.IsPalette(colour, out var index)
            ? new((ColorName16)((index & 8) | ((index & 1) << 2) | (index & 2) | ((index & 4) >> 2)))
            : new(colour >> 16 & 0xFF, colour >> 8 & 0xFF, colour & 0xFF);

    static TextStyle TextOf(Attr attr) =>
        (attr.HasFlag(Attr.Bold) ? TextStyle.Bold : 0) | (attr.HasFlag(Attr.Faint) ? TextStyle.Faint : 0)
        | (attr.HasFlag(Attr.Underline) ? TextStyle.Underline : 0) | (attr.HasFlag(Attr.Reverse) ? TextStyle.Reverse : 0);
}
