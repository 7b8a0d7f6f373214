using Tpwatch.Options;
using Tpwatch.Screen.State;
using Tpwatch.WhatIf;

namespace Tpwatch.Cli;

/// <summary>A what-if for the screen: the answer, or why there is none.</summary>
static class Imagined
{
    public static Imagination Of(PoolReport report, WhatIfChange change)
    {
        if (WhatIfStudy.Of(report, new MeasuredItems(new CounterItems()), out var missing) is not { } study)
        {
            return new(null, missing);
        }

        try
        {
            WhatIfOptionSet.Check(change, study.Settings);
            var answer = study.Answer(change);
            return answer.Unknown is { } why ? new(null, why) : new(answer, null);
        }
        catch (ForeseenException e)
        {
            return new(null, $"{e.Message}; {e.Hint}");
        }
    }
}
