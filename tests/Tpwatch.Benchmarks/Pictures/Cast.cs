using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Tpwatch.Benchmarks.Pictures;

/// <summary>A recording of a terminal as asciinema plays it (format 2): a header, and a line for each piece of output.</summary>
sealed class Cast
{
    static readonly JsonSerializerOptions Plain = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    readonly StringBuilder lines = new();

    public Cast(int width, int height, string title) => lines.Append(CultureInfo.InvariantCulture,
        $"{{\"version\": 2, \"width\": {width}, \"height\": {height}, \"title\": {Quoted(title)}, \"env\": "
            + $"{{\"TERM\": \"xterm-256color\"}}}}\n");

    /// <summary>Output at a moment, seconds; nothing for an empty text.</summary>
    public void Add(double seconds, string output)
    {
        if (output.Length > 0)
        {
            lines.Append(CultureInfo.InvariantCulture, $"[{seconds:0.000}, \"o\", {Quoted(output)}]\n");
        }
    }

    public override string ToString() => lines.ToString();

    static string Quoted(string text) => JsonSerializer.Serialize(text, Plain);
}
