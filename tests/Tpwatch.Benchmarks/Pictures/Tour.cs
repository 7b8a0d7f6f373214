namespace Tpwatch.Benchmarks.Pictures;

/// <summary>The tour of the documentation on the recording `pool-burst`: what happens, then the keys that explain it.</summary>
static class Tour
{
    public const string Recording = "pool-burst";

    /// <summary>A moment at which it is starved for some time; seconds since the start of the capture.</summary>
    public const double Late = 10;

    /// <summary>Where the tour enters the recording, and where the first key is pressed; seconds since the start of the capture.</summary>
    const double Begins = 1;
    const double FirstKey = 9;

    const double FrameSeconds = 0.5;

    /// <summary>A capture goes on to its end under the keys; a key is shown long enough to read what came of it.</summary>
    static readonly (string Key, double Seconds)[] Keys =
    [
        ("[", 2), ("[", 2), ("2", 4), ("down", 2), ("enter", 4), ("esc", 0.5), ("6", 4), ("enter", 2), ("f", 1.5), ("?", 4), ("esc", 1),
    ];

    /// <summary>The tour for asciinema.</summary>
    public static async Task<string> CastAsync(string recording)
    {
        var moments = Moments().ToList();
        var reports = await RecordedMoments.ReadAsync(recording, [.. moments.Select(m => m.Seconds)]);
        var cast = new Cast(DrivenScreen.Width, DrivenScreen.Height, "dotnet tpwatch: why the thread pool delays work");
        using var screen = new DrivenScreen();
        cast.Add(0, "\e[?1049h\e[?25l\e[0m\e[2J");
        for (var i = 0; i < moments.Count; i++)
        {
            var at = moments[i].Seconds - Begins;
            cast.Add(at, screen.Know(reports[i]));
            cast.Add(at, moments[i].Key is { } key ? screen.Press(key) : "");
        }

        cast.Add(moments[^1].Seconds - Begins + FrameSeconds, "\e[0m\e[?25h\e[?1049l");
        return cast.ToString();
    }

    static IEnumerable<(double Seconds, string? Key)> Moments()
    {
        var at = Begins;
        for (; at < FirstKey; at += FrameSeconds)
        {
            yield return (at, null);
        }

        foreach (var (key, seconds) in Keys)
        {
            yield return (at, key);
            for (var end = at + seconds; at + FrameSeconds < end;)
            {
                yield return (at += FrameSeconds, null);
            }

            at += FrameSeconds;
        }
    }
}
