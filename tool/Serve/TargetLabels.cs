using System.Text;

namespace Tpwatch.Serve;

/// <summary>
/// What tells a target's series from those of others. A process id is none of it: a service that restarts would leave a new set of
/// series each time. Of several processes that are alike in all of it the replica counts, from 0; who comes takes the lowest that is free.
/// </summary>
/// <param name="Process">File name of the executable.</param>
/// <param name="Assembly">Entry assembly.</param>
/// <param name="Container">Twelve digits of the container's id; empty outside of containers.</param>
/// <param name="Replica">From 0.</param>
sealed record TargetLabels(string Process, string Assembly, string Container, int Replica)
{
    /// <summary>Longer than any name that somebody gave; who writes it into every series thinks of all of them.</summary>
    const int Longest = 64;

    /// <summary>As they stand in every series of the target.</summary>
    public string Text => $"process=\"{Escaped(Process)}\",assembly=\"{Escaped(Assembly)}\""
        + (Container.Length == 0 ? "" : $",container_id=\"{Escaped(Container)}\"")
        + FormattableString.Invariant($",replica=\"{Replica}\"");

    /// <summary>A value of a label as the format wants it.</summary>
    public static string Escaped(string value)
    {
        var text = new StringBuilder(value.Length);
        foreach (var c in value.Length > Longest ? value.AsSpan(0, Longest) : value)
        {
            _ = c switch
            {
                '\\' => text.Append(@"\\"),
                '"' => text.Append("\\\""),
                _ when char.IsControl(c) || char.IsSurrogate(c) => text.Append('?'),
                _ => text.Append(c),
            };
        }

        return text.ToString();
    }
}
