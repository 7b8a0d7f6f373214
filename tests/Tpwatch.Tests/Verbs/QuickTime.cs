namespace Tpwatch.Tests.Verbs;

/// <summary>Time in which every wait is over at once and has taken what it should.</summary>
sealed class QuickTime : TimeProvider
{
    long checks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Volatile.Read(ref checks);

    public override DateTimeOffset GetUtcNow() => new DateTimeOffset(2026, 11, 21, 3, 0, 0, TimeSpan.Zero).AddTicks(GetTimestamp());

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        new Timer(this, callback, state, dueTime);

    // Short waits end at once; the long ones bound something, and end when as much time has passed in short ones.
    sealed class Timer : ITimer
    {
        readonly System.Threading.Timer poll;
        readonly long due;
        readonly QuickTime time;
        int done;

        public Timer(QuickTime time, TimerCallback callback, object? state, TimeSpan dueTime)
        {
            this.time = time;
            due = dueTime < TimeSpan.Zero ? long.MaxValue : time.GetTimestamp() + dueTime.Ticks;
            poll = new(_ => Look(callback, state, dueTime), null, 0, 1);
        }

        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose()
        {
            Interlocked.Exchange(ref done, 1);
            poll.Dispose();
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }

        void Look(TimerCallback callback, object? state, TimeSpan dueTime)
        {
            var isShort = dueTime >= TimeSpan.Zero && dueTime < TimeSpan.FromSeconds(1);
            if ((isShort || time.GetTimestamp() >= due) && Interlocked.Exchange(ref done, 1) == 0)
            {
                if (isShort)
                {
                    Interlocked.Add(ref time.checks, dueTime.Ticks);
                }

                callback(state);
            }
        }
    }
}
