using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tpwatch.Tests.Structure.Conventions;

/// <summary>Each outside thing is known in one place, so that replacing it touches that place alone.</summary>
static class Boundaries
{
    public static IEnumerable<string> DiagnosticsClient(SourceFile file) =>
        Product(file) && !file.IsUnder("probes/Targets", "probes/Sessions") && Names(file, "Microsoft.Diagnostics.NETCore.Client")
            ? [$"{file.Path}: only probes/Targets and probes/Sessions name the diagnostics client"]
            : [];

    public static IEnumerable<string> TracingLibrary(SourceFile file) =>
        Product(file) && !file.IsUnder("probes/Events", "probes/Stacks") && file.Path != "probes/Recordings/RecordedSession.cs"
        && Names(file, "Microsoft.Diagnostics.Tracing")
            ? [$"{file.Path}: only probes/Events, probes/Stacks and the recorded session name the tracing library"]
            : [];

    /// <summary>The engine has no screen; a renderer returns text; only the screen's host writes it or reads a key.</summary>
    public static IEnumerable<string> Terminal(SourceFile file)
    {
        if (!file.IsUnder("probes", "tool/Text", "tool/Export", "tool/Html", "tool/Screen") || IsHost(file))
            return [];
        var console = file.Root.DescendantNodes().OfType<IdentifierNameSyntax>()
            .Where(name => name.Identifier.ValueText == "Console").Select(name => file.At(name, "names the console"));
        var escapes = file.Root.DescendantTokens().Where(token => token.ValueText.Contains('\e', StringComparison.Ordinal))
            .Select(token => file.At(token.Parent!, "writes an escape sequence"));
        return console.Concat(escapes);
    }

    /// <summary>What is known, chosen, drawn and said knows no library of views; only the rooms in front do.</summary>
    public static IEnumerable<string> ViewLibrary(SourceFile file) =>
        Product(file)
        && !file.IsUnder("tool/Screen/Commands", "tool/Screen/Views") && !IsHost(file)
        && Names(file, "Terminal.Gui")
            ? [$"{file.Path}: only the screen's commands, views and host name Terminal.Gui"]
            : [];

    /// <summary>Its library is loaded by the verb that serves agents, and by no other.</summary>
    public static IEnumerable<string> AgentProtocol(SourceFile file) =>
        Product(file) && file.Path != "tool/Cli/McpCommand.cs" && Names(file, "ModelContextProtocol")
            ? [$"{file.Path}: only tool/Cli/McpCommand.cs names the library of the agents' protocol"]
            : [];

    // Few files have the words at all, and to take comments out takes time.
    static bool Names(SourceFile file, string words) =>
        file.Text.Contains(words, StringComparison.Ordinal) && file.Code.Contains(words, StringComparison.Ordinal);

    // The folder of the screen without those below it.
    static bool IsHost(SourceFile file) => Path.GetDirectoryName(file.Path) == "tool/Screen";

    static bool Product(SourceFile file) => file.IsUnder("probes", "tool");
}
