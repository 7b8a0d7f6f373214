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

/// <summary>
/// Spells the key Esc as a sequence of its own. The library takes Esc and whatever comes within 50 ms as one sequence, and throws all of it
/// away where it knows none such (2.5.0): a key behind an Esc that is typed or pasted fast would be lost.
/// </summary>
static class Escapes
{
    /// <summary>A terminal sends a sequence at once; so long its rest may be on the way, milliseconds. The library waits as long.</summary>
    public const int SequenceMs = 50;

    const char Escape = '\e';

    /// <summary>As terminals with the newer keyboard protocol send it.</summary>
    const string Key = "\e[27u";

    /// <summary>What begins a sequence behind the escape character: CSI, SS3, OSC, DCS, APC, PM, SOS, ST.</summary>
    const string Introducers = "[O]P_^X\\";

    /// <summary>The characters that were read, with Esc spelled.</summary>
    /// <param name="read">Reads what there is.</param>
    /// <param name="comesMore">Waits for the rest of a sequence; false when nothing comes.</param>
    public static string Spelled(Func<IEnumerable<char>> read, Func<bool> comesMore)
    {
        var text = string.Concat(read());
        while (text.EndsWith(Escape) && comesMore() && string.Concat(read()) is { Length: > 0 } rest)
        {
            text += rest;
        }

        if (!text.Contains(Escape, StringComparison.Ordinal))
        {
            return text;
        }

        var spelled = new System.Text.StringBuilder(text.Length);
        for (var i = 0; i < text.Length; i++)
        {
            var isKey = text[i] == Escape && (i + 1 == text.Length || !Introducers.Contains(text[i + 1], StringComparison.Ordinal));
            spelled.Append(isKey ? Key : text[i].ToString());
        }

        return spelled.ToString();
    }
}
