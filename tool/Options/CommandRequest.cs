using Tpwatch.Sessions;

namespace Tpwatch.Options;

/// <summary>A program to start.</summary>
/// <param name="Words">The program and its arguments, as they stand after <c>--</c>.</param>
/// <param name="ShowIo">Whether its input and output are ours.</param>
sealed record CommandRequest(IReadOnlyList<string> Words, bool ShowIo)
{
    /// <summary>The entry assembly of <c>dotnet App.dll</c>, otherwise the program, without folder and ending.</summary>
    public string Name
    {
        get
        {
            var assembly = Words.Skip(1).FirstOrDefault(w => w.EndsWith(".dll", StringComparison.OrdinalIgnoreCase));
            return Path.GetFileNameWithoutExtension(IsHost && assembly is not null ? assembly : Words[0]);
        }
    }

    bool IsHost => Path.GetFileNameWithoutExtension(Words[0]) == "dotnet";

    /// <summary>Says so at once when it cannot be launched.</summary>
    /// <exception cref="ForeseenException">There is no command, or it only starts the real one.</exception>
    public CommandRequest Checked() => WrongCommand.WhyNot(Words) is { } reason ? throw reason : this;
}
