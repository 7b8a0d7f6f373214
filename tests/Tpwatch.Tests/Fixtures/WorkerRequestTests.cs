using Tpwatch.Fixtures.Scenarios;

namespace Tpwatch.Tests.Fixtures;

/// <summary>The field of the runtime that one fixture forces. It is only read here: forced, it would wedge the pool of the tests.</summary>
public sealed class WorkerRequestTests
{
    [Fact]
    public void This_runtime_has_it() =>
        Assert.Equal("ThreadPoolWorkQueue._separated._hasOutstandingThreadRequest", WorkerRequest.Find()?.FieldName);

    [Fact]
    public void It_is_found_by_either_name_and_written_into_the_queue_itself()
    {
        var (older, newer) = (new QueueOf<OlderPart>(), new QueueOf<NewerPart>());

        Force(older);
        Force(newer);

        Assert.Equal((7, 1), (older.Part.Other, older.Part.Outstanding));
        Assert.Equal(1, newer.Part.Outstanding);
    }

    [Fact]
    public void A_queue_without_it_has_none()
    {
        Assert.Null(WorkerRequest.In(null));
        Assert.Null(WorkerRequest.In(new QueueOf<StrangePart>()));
        Assert.Null(WorkerRequest.In("no queue"));
    }

    static void Force(object queue)
    {
        var request = WorkerRequest.In(queue)!;
        Assert.False(request.IsOutstanding);
        request.Pretend();
        Assert.True(request.IsOutstanding);
    }

    // Named as in the runtime.
#pragma warning disable SA1309, IDE1006, CA1051
    sealed class QueueOf<T>
        where T : struct, IPart
    {
        T _separated = (T)new T().Begun();

        public T Part => _separated;
    }

    interface IPart
    {
        IPart Begun();
    }

    struct OlderPart : IPart
    {
        int other;
        int hasOutstandingThreadRequest;

        public readonly int Other => other;

        public readonly int Outstanding => hasOutstandingThreadRequest;

        public readonly IPart Begun() => new OlderPart { other = 7, hasOutstandingThreadRequest = 0 };
    }

    struct NewerPart : IPart
    {
        int _hasOutstandingThreadRequest;

        public readonly int Outstanding => _hasOutstandingThreadRequest;

        public readonly IPart Begun() => new NewerPart { _hasOutstandingThreadRequest = 0 };
    }

    struct StrangePart : IPart
    {
        public readonly IPart Begun() => new StrangePart();
    }
#pragma warning restore SA1309, IDE1006, CA1051
}
