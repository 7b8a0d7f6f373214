using Tpwatch.Sessions;

namespace Tpwatch.Options;

/// <summary>A program to start.</summary>
/// <param name="Words">The program and its arguments, as given after <c>--</c>.</param>
/// <param name="ShowIo">Whether it shares the standard input and output of tpwatch.</param>
sealed record CommandRequest(IReadOnlyList<string> Words, bool ShowIo)
{
    /// <summary>The entry assembly of <c>dotnet App.dll</c>, otherwise the program, without folder and extension.</summary>
    public string Name
    {
        get
        {
            var assembly = Words.Skip(1).FirstOrDefault(w => w.EndsWith(".dll", StringComparison.OrdinalIgnoreCase));
            return Path.GetFileNameWithoutExtension(IsHost && assembly is not null ? assembly : Words[0]);
        }
    }

    bool IsHost => Path.GetFileNameWithoutExtension(Words[0]) == "dotnet";

    /// <summary>This request, if the command can be launched.</summary>
    /// <exception cref="UserErrorException">There is no command, or it only starts the real program.</exception>
    public CommandRequest Checked() => WrongCommand.WhyNot(Words) is { } reason ? throw reason : this;
}
