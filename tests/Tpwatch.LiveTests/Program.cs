using Tpwatch.LiveTests.Attach;
using Tpwatch.LiveTests.Deep;
using Tpwatch.LiveTests.Terminal;
using Xunit.MicrosoftTestingPlatform;
using Xunit.Runner.InProc.SystemConsole;

namespace Tpwatch.LiveTests;

/// <summary>
/// The test runner's entry point; and, asked with a word, a screen for the terminal's tests to look at (<c>screen</c>), odd stacks, or a
/// slow end.
/// </summary>
static class Program
{
    public static async Task<int> Main(string[] args) => args switch
    {
        ["screen", .. var options] => await ScreenDemo.RunAsync(options),
        ["odd-stacks"] => OddStacks.Run(),
        ["slow-end"] => SlowEnd.Run(),
        _ when args.Any(a => a is "--server" or "--internal-msbuild-node") =>
            await TestPlatformTestFramework.RunAsync(args, SelfRegisteredExtensions.AddSelfRegisteredExtensions),
        _ => await ConsoleRunner.Run(args),
    };
}
