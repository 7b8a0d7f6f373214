using Tpwatch.Attach;
using Tpwatch.Explain.Policies;

namespace Tpwatch.Explain.Gaps;

/// <summary>
/// Processors, min and max as far as known: from the target's configuration first, then from its events. Until something says otherwise
/// the runtime's default holds, by which min is the processor count; a max that is not known stays unknown.
/// </summary>
sealed class KnownSettings(TargetFacts target)
{
    /// <summary>Until anything says how many there are.</summary>
    const int FewestProcessors = 1;

    int? processors = target.Processors.Value;
    int? min = target.MinWorkers.Value;
    int? max = target.MaxWorkers.Value;
    bool detectorDisabled;

    /// <summary>Processors, or null when nothing has said so.</summary>
    public int? Processors => processors;

    public PoolSettings Current
    {
        get
        {
            var count = processors ?? FewestProcessors;
            return new(count, min ?? count, max, detectorDisabled) { Unverified = target.RuntimeMajor is < 6 or > 10 };
        }
    }

    /// <summary>The stream's header counts the machine's processors: good enough until the runtime's own count comes.</summary>
    public void HeaderSays(int count) => processors ??= count > 0 ? count : null;

    public void RuntimeCounts(int count) => processors = count;

    public void Limits(int minimum, int maximum) => (min, max) = (minimum, maximum);

    public void Switch(string name, bool on) =>
        detectorDisabled |= on && name == "System.Threading.ThreadPool.DisableStarvationDetection";
}
