using System.Text.Json;

namespace Tpwatch.Render.Json;

/// <summary>The processes that one can attach to, as JSON.</summary>
internal static class JsonProcessListRenderer
{
    /// <summary>The document; ends with a line break.</summary>
    public static string Render(IReadOnlyList<ProcessRow> rows, bool showCommandLine)
    {
        var sections = rows.OrderBy(r => r.Pid).Select(r => new ProcessSection(
            r.Pid, r.Name, r.Runtime, r.User, showCommandLine || r.CommandLine is null ? r.CommandLine : Attach.Processes.CommandLine.Shorten(r.CommandLine)));
        return JsonSerializer.Serialize(new(ProcessListDocument.SchemaName, [.. sections]), JsonDocuments.Indented.ProcessListDocument) + "\n";
    }
}
