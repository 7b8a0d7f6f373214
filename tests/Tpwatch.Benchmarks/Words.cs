using System.Globalization;
using Tpwatch.Core;

namespace Tpwatch.Benchmarks;

/// <summary>The words after a benchmark's name: options taken out one after another, names left.</summary>
sealed class Words(IEnumerable<string> words)
{
    readonly List<string> rest = [.. words];

    /// <summary>What no option took.</summary>
    public IReadOnlyList<string> Rest => rest;

    /// <summary>Whether a switch is given; it is taken out.</summary>
    public bool Has(string name) => rest.Remove(name);

    /// <summary>The number after an option, which is taken out with it.</summary>
    public int Number(string name, int standard)
    {
        var place = rest.IndexOf(name);
        if (place < 0)
            return standard;
        var number = place + 1 < rest.Count
            && int.TryParse(rest[place + 1], NumberStyles.None, CultureInfo.InvariantCulture, out var given) && given > 0
            ? given
            : throw new UserErrorException($"{name} takes a number above 0.", $"for example {name} 4", ExitCode.Arguments);
        rest.RemoveRange(place, 2);
        return number;
    }

    /// <summary>The folder after an option, which is taken out with it.</summary>
    public string Folder(string name, string standard)
    {
        var place = rest.IndexOf(name);
        if (place < 0)
            return standard;
        var folder = place + 1 < rest.Count
            ? Path.GetFullPath(rest[place + 1])
            : throw new UserErrorException($"{name} takes a folder.", $"for example {name} made", ExitCode.Arguments);
        rest.RemoveRange(place, 2);
        return folder;
    }

    /// <summary>The file after an option, which is taken out with it; null when it is not given.</summary>
    public string? File(string name)
    {
        var place = rest.IndexOf(name);
        if (place < 0)
            return null;
        var file = place + 1 < rest.Count && System.IO.File.Exists(rest[place + 1])
            ? Path.GetFullPath(rest[place + 1])
            : throw new UserErrorException($"{name} takes a file that exists.", $"for example {name} old.dll", ExitCode.Arguments);
        rest.RemoveRange(place, 2);
        return file;
    }

    /// <summary>Says what is wrong; the exit code for it.</summary>
    public int Refuse(string what)
    {
        Console.Error.WriteLine(rest.Count == 0 ? what : $"{what}: {string.Join(' ', rest)}");
        return (int)ExitCode.Arguments;
    }
}
