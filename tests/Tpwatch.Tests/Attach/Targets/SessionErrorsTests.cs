using System.Net.Sockets;
using Microsoft.Diagnostics.NETCore.Client;
using Tpwatch.Core;
using Tpwatch.Sessions;
using Tpwatch.Targets;
using Tpwatch.Tests.Attach.Processes;

namespace Tpwatch.Tests.Attach.Targets;

public sealed class SessionErrorsTests : IDisposable
{
    static readonly Target Shop = new() { Pid = 10, Name = "Shop", StartTime = 100 };

    readonly FakeMachine fake = new();

    public void Dispose() => fake.Dispose();

    [Theory]
    [InlineData('T', "it is stopped (state T)", "Continue the process (kill -CONT 10), then attach again.")]
    [InlineData('t', "a debugger holds it (state t)", "Let the process continue or detach the debugger, then attach again.")]
    [InlineData('D', "it hangs in the kernel (state D, usually waiting for a disk or a network file system)",
        "Check its disk or network file system; attach again when the process runs.")]
    [InlineData('S', "its diagnostic port is stuck (process state S)",
        "Another tool's session may block the port: end other diagnostics tools, "
        + "or wait if the processors are overloaded. Then attach again.")]
    public void No_answer_is_explained_by_the_state(char state, string because, string hint)
    {
        fake.Add(10, "Shop", state);
        var e = Map(new OperationCanceledException());
        Assert.Equal((ExitCode.NoSession, $"Process 10 (Shop) does not answer: {because}.", hint), (e.ExitCode, e.Message, e.Hint));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_target_that_is_gone_explains_whatever_was_thrown(bool pidIsUsedAgain)
    {
        if (pidIsUsedAgain)
        {
            fake.Add(10, "other");
        }

        var e = SessionErrors.OfStart(fake.Machine, Shop with { StartTime = 99 }, new TimeoutException());
        Assert.Equal((ExitCode.NoSession, "Process 10 (Shop) ended while tpwatch was attaching."), (e.ExitCode, e.Message));
    }

    [Fact]
    public void A_denied_socket_says_whose_it_is_however_deep_it_is_wrapped()
    {
        fake.Add(10, "Shop");
        var e = Map(new IOException("outer", new SocketException((int)SocketError.AccessDenied)));
        Assert.Equal("The diagnostic socket of process 10 (Shop) denied access.", e.Message);
    }

    /// <summary>One and the same code of the runtime; beside the threads that send stands the one that listens.</summary>
    [Theory]
    [InlineData(65, "Process 10 (Shop) has 64 event sessions already, and its runtime allows no more.")]
    [InlineData(64, "The runtime of process 10 (Shop) refused the session: HRESULT: 0x80004005.")]
    public void A_session_too_many_is_told_from_a_runtime_that_is_ending(int threads, string sentence)
    {
        fake.Add(10, "Shop");
        fake.AddThreads(10, ".NET EventPipe", threads);
        var e = Map(new ServerErrorException("HRESULT: 0x80004005"));
        Assert.Equal((ExitCode.NoSession, sentence), (e.ExitCode, e.Message));
        Assert.Equal(threads == 64, e.Hint.Contains("ending", StringComparison.Ordinal));
    }

    [Fact]
    public void Anything_else_keeps_its_own_words()
    {
        fake.Add(10, "Shop");
        Assert.Equal("Could not open a session with process 10 (Shop): Connection refused.",
            Map(new IOException("Connection refused.")).Message);
    }

    [Fact]
    public void A_bug_of_ours_is_not_explained_away() => Assert.False(SessionErrors.IsForeseen(new InvalidCastException()));

    UserErrorException Map(Exception e) => SessionErrors.OfStart(fake.Machine, Shop, e);
}
