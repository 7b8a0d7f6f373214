namespace Tpwatch.LiveTests.Attach;

/// <summary>A program that is ending for a minute: its last handler does not return before.</summary>
static class SlowEnd
{
    public static int Run()
    {
        AppDomain.CurrentDomain.ProcessExit += (_, _) =>
        {
            Console.WriteLine("READY");
            Thread.Sleep(60_000);
        };
        return 0;
    }
}
