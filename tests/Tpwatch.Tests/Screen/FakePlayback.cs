using Tpwatch.Screen.Commands;

namespace Tpwatch.Tests.Screen;

/// <summary>A replay of which only what was asked of it is kept.</summary>
sealed class FakePlayback : IPlayback
{
    public double? Speed { get; set; } = 1;

    public bool Paused { get; set; }

    public bool AtEnd { get; init; }

    public double? At { get; private set; }

    public void Seek(double milliseconds) => At = milliseconds;
}
