using System.Text;

namespace Tpwatch.Screen;

/// <summary>The sequence with which a terminal is asked to put a text on the clipboard of whoever sits before it, over ssh too.</summary>
static class Osc52
{
    public static string Of(string text) => $"\e]52;c;{Convert.ToBase64String(Encoding.UTF8.GetBytes(text))}\a";
}
