using Tpwatch.Reports;

namespace Tpwatch.Targets;

/// <summary>
/// What configuration says of processors, min and max. The rule: forced by configuration, then known, for the runtime refuses every call
/// that would change a forced value; else unknown, for by the time we attach the program may have called SetMinThreads or SetMaxThreads.
/// What the runtime does with odd values was tried out on 10.0.12 and is told in the tests.
/// </summary>
sealed record PoolLimits(SourcedValue Processors, SourcedValue Min, SourcedValue Max)
{
    // The pool counts workers in a 16-bit number; a larger value is ignored.
    const int MostWorkers = short.MaxValue;
    const int MostProcessors = ushort.MaxValue;

    /// <param name="settings">Everything of the pool in environment and runtimeconfig.</param>
    /// <param name="allowedProcessors">Processors the target may run on: its runtime counts no more; null when unknown.</param>
    public static PoolLimits Of(ImmutableArray<PoolSetting> settings, int? allowedProcessors)
    {
        var processors = ProcessorsOf(PoolSettings.InEnvironment(settings, "PROCESSOR_COUNT"));
        var (min, max) = Forced(settings);
        return new(processors, min, min.Value is null ? RaisedToMin(max, processors.Value, allowedProcessors) : max);
    }

    /// <summary>The min and max that configuration forces, as written; a max below the min makes the runtime ignore both.</summary>
    public static (SourcedValue Min, SourcedValue Max) Forced(ImmutableArray<PoolSetting> settings)
    {
        var min = Forced(settings, "ThreadPool_ForceMinWorkerThreads", "MinThreads");
        var max = Forced(settings, "ThreadPool_ForceMaxWorkerThreads", "MaxThreads");
        return max.Value < min.Value ? (SourcedValue.Unknown, SourcedValue.Unknown) : (min, max);
    }

    // Min starts as the number of processors, and a max below it is raised to it; so a small forced max is only known
    // when that number is known, or cannot be larger.
    static SourcedValue RaisedToMin(SourcedValue max, int? processors, int? allowedProcessors) => (max.Value, processors) switch
    {
        ({ } value, { } known) => max with { Value = Math.Max(value, known) },
        ({ } value, null) when value >= allowedProcessors => max,
        _ => SourcedValue.Unknown,
    };

    // A variable hides the entry in runtimeconfig.json. When it is 0 or no number, runtimes differ in whether the entry counts then.
    static SourcedValue Forced(ImmutableArray<PoolSetting> settings, string variable, string entry) =>
        (PoolSettings.InEnvironment(settings, variable), PoolSettings.InRuntimeconfig(settings, entry)) switch
        {
            ({ } set, _) => Workers(Hexadecimal(set.Value), SettingSource.Environment),
            (null, { } set) => Workers(AnyBase(set.Value), SettingSource.Runtimeconfig),
            _ => SourcedValue.Unknown,
        };

    static SourcedValue Workers(int? count, SettingSource source) =>
        count is > 0 and <= MostWorkers ? new SourcedValue(count, source) : SourcedValue.Unknown;

    // Decimal, and what follows the digits does not matter; hexadecimal is read as its leading 0 and ignored.
    static SourcedValue ProcessorsOf(PoolSetting? setting)
    {
        string digits = new([.. (setting?.Value ?? "").TrimStart().TakeWhile(char.IsAsciiDigit)]);
        return int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var count) && count is > 0 and <= MostProcessors
            ? new SourcedValue(count, SettingSource.Environment)
            : SourcedValue.Unknown;
    }

    /// <summary>A variable's value as the runtime reads it, always hexadecimal: "10" is 16, and so is "0x10".</summary>
    public static int? Hexadecimal(string value)
    {
        var digits = value.Trim();
        digits = digits is ['0', 'x' or 'X', ..] ? digits[2..] : digits;
        return int.TryParse(digits, NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var count) ? count : null;
    }

    // As in C: 25, 0x19, 031.
    static int? AnyBase(string value) => value.Trim() switch
    {
        ['0', 'x' or 'X', ..] text => Hexadecimal(text),
        ['0', .. var octal] => Octal(octal),
        var text => int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var count) ? count : null,
    };

    static int? Octal(string digits) =>
        digits.Length <= 10 && digits.All(d => d is >= '0' and <= '7') ? digits.Aggregate(0, (sum, d) => (sum * 8) + (d - '0')) : null;
}
