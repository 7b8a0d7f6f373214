using System.Collections.Concurrent;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.FrontEnds;
using Tpwatch.Screen.Keys;

namespace Tpwatch.Tests.Screen.FrontEnds;

/// <summary>The front end of the tests keeps what the others promise.</summary>
public sealed class ScriptFrontEndTests : FrontEndContract
{
    internal override Task<IFrontEndRun> StartAsync(int width, int height) => Task.FromResult<IFrontEndRun>(new Run(width, height));

    /// <summary>Steps come one at a time from a queue; every look is a tick.</summary>
    sealed class Run : IFrontEndRun
    {
        readonly BlockingCollection<Action<ScriptFrontEnd>> steps = [];
        readonly CancellationTokenSource stop = new();
        readonly ScriptFrontEnd front;
        readonly Task<string> end;

        public Run(int width, int height)
        {
            front = new ScriptFrontEnd(steps.GetConsumingEnumerable());
            steps.Add(f => f.Resize(width, height));
            end = Task.Factory.StartNew(RunToEnd, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        }

        public Task PressAsync(KeyPress key) => StepAsync(f => f.Press(key));

        public Task ResizeAsync(int width, int height) => StepAsync(f => f.Resize(width, height));

        public async Task<CellGrid> ScreenAsync()
        {
            await StepAsync(f => f.Tick());
            return front.Frames is [.., var last] ? last : new CellGrid(0, 0);
        }

        public Task<string> ClipsAsync() => Task.FromResult(string.Concat(front.Clips));

        public async Task StopAsync()
        {
            await stop.CancelAsync();
            await StepAsync(_ => { });
        }

        public Task<string> EndAsync() => end;

        public async ValueTask DisposeAsync()
        {
            steps.CompleteAdding();
            await end;
            steps.Dispose();
            stop.Dispose();
        }

        // Until the step after it has begun, its frame may not have been drawn.
        async Task StepAsync(Action<ScriptFrontEnd> step)
        {
            var drawn = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            steps.Add(step);
            steps.Add(_ => drawn.SetResult());
            await Task.WhenAny(drawn.Task, end);
        }

        string RunToEnd()
        {
            try
            {
                return front.Run(new ContractApp(), new FrontEndOptions(), stop.Token)
                    .ToString(System.Globalization.CultureInfo.InvariantCulture);
            }
            catch (InvalidOperationException e)
            {
                return e.Message;
            }
        }
    }
}
