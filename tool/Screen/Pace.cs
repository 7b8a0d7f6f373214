using System.Runtime.CompilerServices;
using Terminal.Gui.App;
using Terminal.Gui.Drivers;

namespace Tpwatch.Screen;

/// <summary>
/// When the screen does something: at once when something was typed, and else at the next tick. By itself the library looks for keys fifty
/// times a second and goes round twenty-five times (2.5.0), each by a timer and a worker thread: 3 % of a processor for nothing.
/// </summary>
/// <param name="waker">Wakes the thread that draws.</param>
sealed class Pace(Waker waker)
{
    /// <summary>More than a thousand a second: then the library does not wait between two rounds, but we do.</summary>
    const ushort NoWait = 1001;

    /// <summary>Between two looks whether the screen ends; a call of the system and nothing else.</summary>
    const int InputLookMs = 100;

    /// <summary>The library tells a lone Esc from the beginning of a sequence after 50 ms, and repeats for a button that is held.</summary>
    static readonly TimeSpan AfterInput = TimeSpan.FromMilliseconds(20);

    static readonly TimeSpan Lively = TimeSpan.FromSeconds(1);

    /// <summary>A terminal answers the questions of the start in a moment, and nothing is drawn before.</summary>
    static readonly TimeSpan AtStart = TimeSpan.FromMilliseconds(2);

    volatile bool ended;
    volatile bool started;
    long input;

    /// <summary>An application of the library with this pace.</summary>
    public IApplication Create()
    {
        Application.MaximumIterationsPerSecond = NoWait;
        var app = Application.Create();
        if (!OperatingSystem.IsWindows())
        {
            FactoryOf(app) = new Factory(this);
        }

        return app;
    }

    /// <summary>The first frame has been drawn.</summary>
    public void Start() => started = true;

    /// <summary>Waits until something is typed, but not longer than to the next tick.</summary>
    public void AwaitNews(TimeProvider time, TimeSpan untilTick)
    {
        var most = !started ? AtStart
            : Interlocked.Read(ref input) is not 0 and var at && time.GetElapsedTime(at) < Lively ? AfterInput : untilTick;
        waker.WaitOne(most < untilTick ? most : untilTick > AtStart ? untilTick : AtStart);
    }

    /// <summary>The reader of keys returns soon.</summary>
    public void End() => ended = true;

    // The library lets only its own tests choose where keys come from.
    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_componentFactory")]
    static extern ref IComponentFactory? FactoryOf([UnsafeAccessorType("Terminal.Gui.App.ApplicationImpl, Terminal.Gui")] object app);

    sealed class Factory(Pace pace) : AnsiComponentFactory
    {
        public override IInput<char> CreateInput() => new Input(pace);
    }

    /// <summary>The library's reader of keys, which waits in the kernel for them.</summary>
    sealed class Input(Pace pace) : AnsiInput
    {
        bool reads;

        public override bool Peek()
        {
            if (reads)
            {
                Interlocked.Exchange(ref pace.input, TimeProvider.System.GetTimestamp());
                pace.Wake();
            }

            reads = base.Peek();
            while (!reads && !pace.ended)
            {
                if (Libc.WaitForInput(InputLookMs) != 0)
                {
                    // Keys, or a terminal that is gone: for that the library's own pace is right.
                    reads = base.Peek();
                    break;
                }
            }

            return reads;
        }

        public override IEnumerable<char> Read() => Escapes.Spelled(base.Read, () => Libc.WaitForInput(Escapes.SequenceMs) > 0);
    }

    void Wake() => waker.Wake();
}
