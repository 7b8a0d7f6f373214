using Tpwatch.Targets;

namespace Tpwatch.Tests.Attach.Ipc;

public sealed class DiagnosticPortClientTests
{
    // For answers that never come; the real limit is 2 s.
    /// <summary>Long enough for the fake to note the question beside tests that keep all threads of the pool busy.</summary>
    static readonly TimeSpan Short = TimeSpan.FromSeconds(3);

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task The_newest_command_is_asked_first()
    {
        await using FakeRuntime runtime = new(command => command == 8 ? ReplyBytes.Ok(ReplyBytes.Info(3)) : null);
        Assert.Equal("linux-x64", (await Ask(runtime))!.RuntimeIdentifier);
        Assert.Equal([8], runtime.Asked);
    }

    [Fact]
    public async Task A_runtime_that_does_not_know_it_is_asked_the_older_ones()
    {
        await using FakeRuntime runtime = new(command => command == 0 ? ReplyBytes.Ok(ReplyBytes.Info(1)) : ReplyBytes.UnknownCommand());
        Assert.Equal("/srv/shop key=a", (await Ask(runtime))!.CommandLine);
        Assert.Equal([8, 4, 0], runtime.Asked);
    }

    [Fact]
    public async Task A_runtime_that_refuses_all_of_them_gives_nothing()
    {
        await using FakeRuntime runtime = new(_ => ReplyBytes.UnknownCommand());
        Assert.Null(await Ask(runtime));
        Assert.Equal(3, runtime.Asked.Count);
    }

    [Fact]
    public async Task A_runtime_that_hangs_is_asked_once()
    {
        await using FakeRuntime runtime = new(_ => null);
        Assert.Null(await new DiagnosticPortClient(runtime.Path, TimeProvider.System) { Limit = Short }.ProcessInfoAsync(Cancel));
        Assert.Equal([8], runtime.Asked);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(19)]
    [InlineData(20)]
    [InlineData(60)]
    public async Task A_runtime_that_dies_in_the_middle_of_its_reply_gives_nothing(int length)
    {
        await using FakeRuntime runtime = new(_ => ReplyBytes.Ok(ReplyBytes.Info(3))[..length]);
        Assert.Null(await Ask(runtime));
    }

    [Fact]
    public async Task A_reply_that_is_shorter_than_its_own_header_gives_nothing()
    {
        var reply = ReplyBytes.Ok([]);
        reply[14] = 3;
        await using FakeRuntime runtime = new(_ => reply);
        Assert.Null(await Ask(runtime));
    }

    [Fact]
    public async Task Somebody_who_speaks_another_language_gives_nothing()
    {
        await using FakeRuntime runtime = new(_ => "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"u8.ToArray());
        Assert.Null(await Ask(runtime));
    }

    [Fact]
    public async Task Nobody_listening_gives_nothing() =>
        Assert.Null(await new DiagnosticPortClient("/nowhere/socket", TimeProvider.System).ProcessInfoAsync(Cancel));

    [Fact]
    public async Task A_path_too_long_for_a_socket_gives_nothing() =>
        Assert.Null(await new DiagnosticPortClient("/" + new string('x', 200), TimeProvider.System).ProcessInfoAsync(Cancel));

    [Fact]
    public async Task Giving_up_is_not_mistaken_for_silence()
    {
        await using FakeRuntime runtime = new(_ => null);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            Port(runtime).ProcessInfoAsync(new CancellationToken(canceled: true)));
    }

    [Fact]
    public async Task The_environment_follows_its_reply()
    {
        var environment = ReplyBytes.Environment("A=b", "DOTNET_PROCESSOR_COUNT=4");
        byte[] length = [.. BitConverter.GetBytes(environment.Length), 0, 0];
        await using FakeRuntime runtime = new(_ => [.. ReplyBytes.Ok(length), .. environment]);
        Assert.Equal("4", (await Port(runtime).EnvironmentAsync(Cancel))!["DOTNET_PROCESSOR_COUNT"]);
        Assert.Equal([2], runtime.Asked);
    }

    [Fact]
    public async Task An_environment_that_claims_to_be_huge_gives_nothing()
    {
        await using FakeRuntime runtime = new(_ => ReplyBytes.Ok([0xFF, 0xFF, 0xFF, 0xFF, 0, 0]));
        Assert.Null(await Port(runtime).EnvironmentAsync(Cancel));
    }

    static DiagnosticPortClient Port(FakeRuntime runtime) => new(runtime.Path, TimeProvider.System) { Limit = TimeSpan.FromSeconds(20) };

    static Task<ProcessInfo?> Ask(FakeRuntime runtime) => Port(runtime).ProcessInfoAsync(Cancel);
}
