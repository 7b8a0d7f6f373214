namespace Tpwatch.Screen.State;

/// <summary>The controls of a replay. Only the screen's thread calls them.</summary>
interface IPlayback
{
    /// <summary>Playback speed as a multiple of real time; null plays as fast as the recording can be read.</summary>
    double? Speed { get; set; }

    bool Paused { get; set; }

    /// <summary>Whether the recording has been read to its end.</summary>
    bool AtEnd { get; }

    /// <summary>Jumps forwards or back to a moment, in milliseconds after the start of the capture.</summary>
    void Seek(double milliseconds);
}
