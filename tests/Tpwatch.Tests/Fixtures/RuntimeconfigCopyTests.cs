using System.Text.Json;
using Tpwatch.Fixtures.Running;

namespace Tpwatch.Tests.Fixtures;

public sealed class RuntimeconfigCopyTests
{
    [Fact]
    public void The_copy_holds_the_entry_beside_what_was_there_and_goes_when_it_is_no_longer_needed()
    {
        string path;
        using (var copy = new RuntimeconfigCopy([SettingSource.MinByRuntimeconfig(400)]))
        {
            path = copy.Start().Words[2];
            var options = JsonDocument.Parse(File.ReadAllText(path)).RootElement.GetProperty("runtimeOptions");
            Assert.Equal(400, options.GetProperty("configProperties").GetProperty("System.Threading.ThreadPool.MinThreads").GetInt32());
            Assert.True(options.TryGetProperty("tfm", out _));
        }

        Assert.False(File.Exists(path));
    }

    [Fact]
    public void The_variable_of_min_is_hexadecimal() =>
        Assert.Equal(new RuntimeVariable("DOTNET_ThreadPool_ForceMinWorkerThreads", "190"), SettingSource.MinByEnvironment(400));
}
