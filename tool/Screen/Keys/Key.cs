namespace Tpwatch.Screen.Keys;

/// <summary>A key that has a meaning of its own; everything else is <see cref="Char"/>.</summary>
enum Key
{
    Char,
    Enter,
    Escape,
    Tab,
    Backspace,
    Delete,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    F5,
    Other,
}
