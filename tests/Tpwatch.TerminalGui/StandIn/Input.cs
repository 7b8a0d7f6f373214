using System.Text;
using Terminal.Gui.Drivers;

namespace Terminal.Gui.Input;

public sealed class Key(KeyCode code)
{
    public static Key Esc => new(KeyCode.Esc);

    public KeyCode KeyCode { get; } = code;

    public bool IsAlt => (KeyCode & KeyCode.AltMask) != 0;

    public bool IsCtrl => (KeyCode & KeyCode.CtrlMask) != 0;

    public bool IsShift => (KeyCode & KeyCode.ShiftMask) != 0;

    // As the library: nothing with Alt or Ctrl; a letter without Shift is the small one.
    public Rune AsRune
    {
        get
        {
            var code = (uint)(KeyCode & ~KeyCode.ShiftMask);
            return IsAlt || IsCtrl || code > (uint)KeyCode.MaxCodePoint ? default
                : code is >= 'A' and <= 'Z' && !IsShift ? new Rune(char.ToLowerInvariant((char)code)) : new Rune(code);
        }
    }
}

public sealed class KeyBindings
{
    public List<KeyCode> Removed { get; } = [];

    public void Remove(Key key) => Removed.Add(key.KeyCode);
}
