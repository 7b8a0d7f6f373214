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
        if (!file.IsUnder("probes", "tool/Text", "tool/Export", "tool/Screen") || IsHost(file))
            return [];
        var console = file.Root.DescendantNodes().OfType<IdentifierNameSyntax>()
            .Where(name => name.Identifier.ValueText == "Console").Select(name => file.At(name, "names the console"));
        var escapes = file.Root.DescendantTokens().Where(token => token.ValueText.Contains('\e', StringComparison.Ordinal))
            .Select(token => file.At(token.Parent!, "writes an escape sequence"));
        return console.Concat(escapes);
    }

    /// <summary>What is known, chosen, drawn and said knows no library of views; only the screen itself and its keys do.</summary>
    public static IEnumerable<string> ViewLibrary(SourceFile file) =>
        Product(file) && Path.GetDirectoryName(file.Path) != "tool/Screen" && !Keys.Contains(file.Path) && Names(file, "Terminal.Gui")
            ? [$"{file.Path}: only the screen's own folder and its keys name Terminal.Gui"]
            : [];

    /// <summary>Its library is loaded by the verb that serves agents, and by no other.</summary>
    public static IEnumerable<string> AgentProtocol(SourceFile file) =>
        Product(file) && file.Path != "tool/Cli/McpCommand.cs" && Names(file, "ModelContextProtocol")
            ? [$"{file.Path}: only tool/Cli/McpCommand.cs names the library of the agents' protocol"]
            : [];

    // Few files have the words at all, and to take comments out takes time.
    static bool Names(SourceFile file, string words) =>
        file.Text.Contains(words, StringComparison.Ordinal) && file.Code.Contains(words, StringComparison.Ordinal);

    /// <summary>The files that run Terminal.Gui in a terminal; the other files of the screen are views and their model.</summary>
    static readonly string[] Host =
        ["tool/Screen/ScreenHost.cs", "tool/Screen/MainLoopPacer.cs", "tool/Screen/UnixTerminal.cs", "tool/Screen/PickerWindow.cs"];

    /// <summary>The tables of keys.</summary>
    static readonly string[] Keys = ["tool/Screen/Commands/Bindings.cs", "tool/Screen/Commands/CommandAvailability.cs"];

    static bool IsHost(SourceFile file) => Host.Contains(file.Path);

    static bool Product(SourceFile file) => file.IsUnder("probes", "tool");
}
