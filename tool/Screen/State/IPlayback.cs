namespace Tpwatch.Screen.State;

/// <summary>The controls of a replay, used by the screen's thread alone.</summary>
interface IPlayback
{
    /// <summary>So many times as fast as it happened; null is as fast as can be read.</summary>
    double? Speed { get; set; }

    bool Paused { get; set; }

    /// <summary>Whether the recording has been read to its end.</summary>
    bool AtEnd { get; }

    /// <summary>Goes to a moment, milliseconds after the start of the capture, forwards or back.</summary>
    void Seek(double milliseconds);
}
