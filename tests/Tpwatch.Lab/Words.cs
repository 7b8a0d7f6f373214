using System.Globalization;
using Tpwatch.Core;

namespace Tpwatch.Lab;

/// <summary>The words after a benchmark's name: options taken out one after another, names left.</summary>
sealed class Words(IEnumerable<string> words)
{
    readonly List<string> rest = [.. words];

    /// <summary>What no option took.</summary>
    public IReadOnlyList<string> Rest => rest;

    /// <summary>Whether a switch is given; it is taken out.</summary>
    public bool Has(string name) => rest.Remove(name);

    /// <summary>The number after an option, which is taken out with it.</summary>
    public int Number(string name, int standard) => Take(name) is not { } word ? standard
        : int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out var given) && given > 0 ? given
        : throw new UserErrorException($"{name} takes a number above 0.", $"for example {name} 4", ExitCode.Arguments);

    /// <summary>The file after an option, which is taken out with it; null when it is not given.</summary>
    public string? File(string name) => Take(name) is not { } word ? null
        : System.IO.File.Exists(word) ? Path.GetFullPath(word)
        : throw new UserErrorException($"{name} takes a file that exists.", $"for example {name} old.dll", ExitCode.Arguments);

    /// <summary>Says what is wrong; the exit code for it.</summary>
    public int Refuse(string what)
    {
        Console.Error.WriteLine(rest.Count == 0 ? what : $"{what}: {string.Join(' ', rest)}");
        return (int)ExitCode.Arguments;
    }

    // Empty where the option is the last word.
    string? Take(string name)
    {
        var place = rest.IndexOf(name);
        if (place < 0)
            return null;
        var word = rest.ElementAtOrDefault(place + 1) ?? "";
        rest.RemoveRange(place, Math.Min(2, rest.Count - place));
        return word;
    }
}
