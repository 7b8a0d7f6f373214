using Tpwatch.Pool;

namespace Tpwatch.Tests;

/// <summary>A clock that no machine has, for rules without noise.</summary>
static class IdealClock
{
    extension(GateClock)
    {
        /// <summary>
        /// Steps of 1 ms, and a gate thread that wakes 0.1 ms late. If an item is dequeued just after a check, the next check reads 500 ms
        /// since that dequeue, which is not more than 500.
        /// </summary>
        public static GateClock Ideal => new(500.1, 1);
    }
}
