using Tpwatch.Diagnosis;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>JSON document of a core dump, schema <c>tpwatch-dump/1</c>, with the verdict as far as one moment allows it.</summary>
sealed record DumpDocument(string Schema, string Tool, string File, string Verdict, string Summary, InsideSection Inside)
{
    const string Name = "tpwatch-dump/1";

    /// <summary>Returns the document as text; ends with a line break.</summary>
    public static string Render(InsideReading reading, string file, string version)
    {
        var moment = Moment.Of(reading);
        var document = new DumpDocument(
            Name, version, file, Words.Of(moment.Verdict), moment.Sentence, InsideSection.Of(reading, at: null));
        return System.Text.Json.JsonSerializer.Serialize(document, JsonDocuments.Indented.DumpDocument) + "\n";
    }
}
