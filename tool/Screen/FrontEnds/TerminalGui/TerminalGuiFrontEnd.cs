using System.Text;
using Terminal.Gui.App;
using Terminal.Gui.Drivers;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Screen.Frame;
using Tpwatch.Screen.FrontEnds.Ansi;
using Tpwatch.Screen.Keys;
using Tpwatch.Screen.State;
using GuiKey = Terminal.Gui.Input.Key;

namespace Tpwatch.Screen.FrontEnds.TerminalGui;

/// <summary>
/// The screen inside Terminal.Gui 2.4: one view that puts our grid and forwards keys. Compiled with <c>-p:Screen=TerminalGui</c> only;
/// every other build compiles it against declarations of our own.
/// </summary>
sealed class TerminalGuiFrontEnd : IFrontEnd
{
    const string KeypadOff = "\e[?1l\e>";

    /// <summary>The library waits for its reader of keys, which does not end where the terminal is gone.</summary>
    static readonly TimeSpan DisposeLimit = TimeSpan.FromSeconds(1);

    static readonly TimeSpan DisposeLook = TimeSpan.FromMilliseconds(10);

    public int Run(IUiApp app, FrontEndOptions options, CancellationToken stop)
    {
        // Before the library changes anything; after a crash, a second signal and the library's own leaving it is as it was.
        var output = new TerminalOutput();
        using var screen = AlternateScreen.OfLibrary(output);
        var hadTerminal = TerminalModes.Current().AreKnown;
        var host = Application.Create();
        try
        {
            Show(host, new GridView(host, app, options, stop) { Output = output, HadTerminal = hadTerminal }, options, stop);
        }
        catch (IOException) when (hadTerminal && !TerminalModes.Current().AreKnown)
        {
            // The window was closed: an end like any other.
        }
        finally
        {
            Leave(host, options.Time);
        }

        return 0;
    }

    static void Show(IApplication host, GridView view, FrontEndOptions options, CancellationToken stop)
    {
        using var shown = view;
        // By default the library asks the terminal for its size, and tmux 3.3a answers with width and height swapped.
        Driver.SizeDetection = SizeDetectionMode.Polling;
        host.Init("ansi");
        // Polling alone shows nothing before the first change of size.
        host.Driver!.SetScreenSize(Console.WindowWidth, Console.WindowHeight);
        // The library quits on Esc; ours takes one step back.
        host.Keyboard.KeyBindings.Remove(GuiKey.Esc);
        host.AddTimeout(options.Tick, view.Tick);
        using var stopped = stop.Register(() => host.Invoke(host.RequestStop));
        // Otherwise the first frame would say for a tick that nothing has come yet.
        view.Tick();
        host.Run(view);
    }

    static void Leave(IApplication host, TimeProvider time)
    {
        var began = time.GetTimestamp();
        // A thread of its own: on a machine without time, one of the pool comes only after the limit.
        var leaving = Task.Factory.StartNew(host.Dispose, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        while (!leaving.IsCompleted && time.GetElapsedTime(began) < DisposeLimit)
        {
            Thread.Sleep(DisposeLook);
        }
    }

    sealed class GridView(IApplication host, IUiApp app, FrontEndOptions options, CancellationToken stop) : Runnable
    {
        bool suspended;
        Task? resuming;

        public required TerminalOutput Output { get; init; }
        public required bool HadTerminal { get; init; }

        public bool Tick()
        {
            if (HadTerminal && !TerminalModes.Current().AreKnown)
            {
                return Show(Reply.Quit);
            }

            (resuming, suspended) = (suspended ? options.AfterResume?.Invoke(stop) : resuming, false);
            return resuming?.Exception is { } failure ? throw failure.InnerExceptions[0] : Show(app.Tick() ? Reply.Handled : Reply.Ignored);
        }

        protected override bool OnClearingViewport() => true; // every cell is put in any case

        protected override bool OnDrawingContent(DrawContext? context)
        {
            var frame = app.Render(Viewport.Width, Viewport.Height);
            for (var y = 0; y < frame.Height; y++)
            {
                for (var x = 0; x < frame.Width;)
                {
                    var (style, run) = (frame[x, y].Style, new StringBuilder());
                    Move(x, y);
                    for (; x < frame.Width && frame[x, y].Style == style; x++)
                    {
                        run.Append(frame[x, y].Rune);
                    }

                    SetAttribute(GuiStyles.Of(style));
                    AddStr(run.ToString());
                }
            }

            return true;
        }

        protected override bool OnKeyDown(GuiKey key)
        {
            if (GuiKeys.ToPress(key) is var press && press == KeyPress.WithCtrl('z'))
            {
                // Here the library stops the process, and a target whose reader is stopped would be held up.
                using var limit = new CancellationTokenSource(FrontEndOptions.SuspendLimit, options.Time);
                for (var ending = options.BeforeSuspend?.Invoke(limit.Token);
                    ending is { IsCompleted: false } && !limit.IsCancellationRequested;)
                {
                    Thread.Sleep(options.Tick);
                }

                Output.Write(KeypadOff);
                return !(suspended = true);
            }

            Show(app.OnKey(press));
            if (app.TakeClip() is { } text)
            {
                host.Driver!.WriteRaw(Osc52.Of(text));
            }

            return true;
        }

        bool Show(Reply reply)
        {
            if (reply == Reply.Quit)
            {
                host.RequestStop();
            }
            else if (reply != Reply.Ignored)
            {
                SetNeedsDraw();
            }

            return true;
        }
    }
}
