using Tpwatch.Sessions;

namespace Tpwatch.Options;

/// <summary>A request to launch a program and observe the launched process.</summary>
/// <param name="Words">The program and its arguments, as given after <c>--</c>.</param>
/// <param name="ShowIo">Whether the program reads the standard input of tpwatch and writes to the standard error of tpwatch.</param>
sealed record CommandRequest(IReadOnlyList<string> Words, bool ShowIo)
{
    /// <summary>Name of the program without folder and extension; for <c>dotnet App.dll</c>, the name of the entry assembly.</summary>
    public string Name
    {
        get
        {
            var assembly = Words.Skip(1).FirstOrDefault(w => w.EndsWith(".dll", StringComparison.OrdinalIgnoreCase));
            return Path.GetFileNameWithoutExtension(IsHost && assembly is not null ? assembly : Words[0]);
        }
    }

    bool IsHost => Path.GetFileNameWithoutExtension(Words[0]) == "dotnet";

    /// <summary>Returns this request if tpwatch can observe the program.</summary>
    /// <exception cref="UserErrorException">The command is empty, or is an SDK command that only starts the real program.</exception>
    public CommandRequest Checked() => WrongCommand.WhyNot(Words) is { } reason ? throw reason : this;
}
