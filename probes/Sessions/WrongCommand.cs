namespace Tpwatch.Sessions;

/// <summary>Errors for commands that cannot be launched and observed, each with a hint for the user.</summary>
static class WrongCommand
{
    const string Dotnet = "dotnet";

    /// <summary>
    /// Verbs of the SDK: each runs a .NET program that starts other programs, and ends before the program that the user wants to observe,
    /// or hides that program.
    /// </summary>
    static readonly string[] SdkVerbs =
        ["run", "watch", "test", "build", "publish", "msbuild", "pack", "restore", "clean", "vstest", "tool", "dnx", "new", "format"];

    /// <summary>
    /// Why the command cannot be observed, as far as that is known without a start: the command is empty, or it starts the SDK; null when
    /// the command may be started.
    /// </summary>
    /// <param name="words">The program and its arguments.</param>
    public static UserErrorException? WhyNot(IReadOnlyList<string> words)
    {
        if (words is [] or ["", ..])
        {
            return Refused("no command was given", "write the program and its arguments after --: -- dotnet App.dll");
        }

        if (!Path.GetFileNameWithoutExtension(words[0]).Equals(Dotnet, StringComparison.OrdinalIgnoreCase))
        {
            return null;
        }

        var verb = words.Skip(1).FirstOrDefault(w => !w.StartsWith('-'));
        return verb is not null
            && (SdkVerbs.Contains(verb, StringComparer.OrdinalIgnoreCase) || verb.EndsWith(".cs", StringComparison.OrdinalIgnoreCase))
            ? Refused(
                $"'dotnet {verb}' starts the SDK, which runs the program as a child process",
                "run the built program: -- dotnet bin/Release/net10.0/App.dll, or its executable")
            : null;
    }

    public static UserErrorException DiagnosticsDisabled(string setting) => NoSession(
        $"the environment has {setting}, which disables diagnostics in the launched program", $"start without {setting.Split('=')[0]}");

    public static UserErrorException NotStarted(string name, Exception cause) => new(
        $"'{name}' could not be started: {cause.Message.TrimEnd('.')}", "try the same command without tpwatch", ExitCode.Arguments, cause);

    public static UserErrorException EndedEarly(string name, int exitCode, string? said) => NoSession(
        $"'{name}' ended with code {Text(exitCode)} before a .NET runtime had opened its diagnostic port",
        said is null ? HowToName + SocketFolder() : $"its output was: {said}");

    /// <param name="name">The command.</param>
    /// <param name="waited">How long tpwatch has waited.</param>
    /// <param name="child">A .NET program that the command has started, or null.</param>
    public static UserErrorException NoRuntime(string name, TimeSpan waited, string? child) => child is null
        ? NoSession($"no .NET runtime started in '{name}' within {Format.Duration(waited.TotalMilliseconds)}; tpwatch ended it", HowToName)
        : NoSession($"'{name}' is not a .NET program but has started one, {child}; tpwatch ended both", HowToName);

    public static UserErrorException Refused(string sentence, string hint) => new(sentence, hint, ExitCode.Arguments);

    // A runtime that cannot create its socket runs without one and reports nothing.
    static string SocketFolder() => Environment.GetEnvironmentVariable("TMPDIR") is { Length: > 0 } folder
        ? $"; the program must also be able to create a socket in TMPDIR, {folder}" : "";

    const string HowToName = "the command must be the .NET program itself: -- dotnet App.dll, or its executable; a script must exec it";

    static UserErrorException NoSession(string sentence, string hint) => new(sentence, hint, ExitCode.NoSession);

    static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
