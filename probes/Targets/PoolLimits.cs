using Tpwatch.Reports;

namespace Tpwatch.Targets;

/// <summary>
/// The configured number of processors, MinThreads and MaxThreads. A value that configuration forces is known, because the runtime rejects
/// every call that would change it. Any other value is unknown, because the program may have called SetMinThreads or SetMaxThreads
/// before tpwatch attached. The treatment of unusual values was tested on runtime 10.0.12 and is documented in the tests.
/// </summary>
sealed record PoolLimits(SourcedValue Processors, SourcedValue Min, SourcedValue Max)
{
    // The pool stores the number of worker threads in 16 bits; the runtime ignores a larger value.
    const int MostWorkers = short.MaxValue;
    const int MostProcessors = ushort.MaxValue;

    /// <param name="settings">All settings of the pool in the environment and runtimeconfig.json.</param>
    /// <param name="allowedProcessors">
    /// Processors that the target may run on, an upper limit of the number that its runtime counts; null when unknown.
    /// </param>
    public static PoolLimits Of(ImmutableArray<PoolSetting> settings, int? allowedProcessors)
    {
        var processors = ProcessorsOf(PoolSettings.InEnvironment(settings, "PROCESSOR_COUNT"));
        var (min, max) = Forced(settings);
        return new(processors, min, min.Value is null ? RaisedToMin(max, processors.Value, allowedProcessors) : max);
    }

    /// <summary>
    /// MinThreads and MaxThreads as configuration forces them; if MaxThreads is below MinThreads, the runtime ignores both.
    /// </summary>
    public static (SourcedValue Min, SourcedValue Max) Forced(ImmutableArray<PoolSetting> settings)
    {
        var min = Forced(settings, "ThreadPool_ForceMinWorkerThreads", "MinThreads");
        var max = Forced(settings, "ThreadPool_ForceMaxWorkerThreads", "MaxThreads");
        return max.Value < min.Value ? (SourcedValue.Unknown, SourcedValue.Unknown) : (min, max);
    }

    // MinThreads starts as the number of processors, and the runtime raises a smaller MaxThreads to that number. A small forced MaxThreads
    // is therefore known only if the number of processors is known or cannot be larger.
    static SourcedValue RaisedToMin(SourcedValue max, int? processors, int? allowedProcessors) => (max.Value, processors) switch
    {
        ({ } value, { } known) => max with { Value = Math.Max(value, known) },
        ({ } value, null) when value >= allowedProcessors => max,
        _ => SourcedValue.Unknown,
    };

    // An environment variable overrides the entry in runtimeconfig.json. If the variable's value is 0 or not a number, the entry applies in
    // some versions of the runtime.
    static SourcedValue Forced(ImmutableArray<PoolSetting> settings, string variable, string entry) =>
        (PoolSettings.InEnvironment(settings, variable), PoolSettings.InRuntimeconfig(settings, entry)) switch
        {
            ({ } set, _) => Workers(Hexadecimal(set.Value), SettingSource.Environment),
            (null, { } set) => Workers(AnyBase(set.Value), SettingSource.Runtimeconfig),
            _ => SourcedValue.Unknown,
        };

    static SourcedValue Workers(int? count, SettingSource source) =>
        count is > 0 and <= MostWorkers ? new SourcedValue(count, source) : SourcedValue.Unknown;

    // Parses decimal digits; text after the digits is ignored. Of a hexadecimal value, the runtime reads the leading 0 and ignores it.
    static SourcedValue ProcessorsOf(PoolSetting? setting)
    {
        string digits = new([.. (setting?.Value ?? "").TrimStart().TakeWhile(char.IsAsciiDigit)]);
        return int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var count) && count is > 0 and <= MostProcessors
            ? new SourcedValue(count, SettingSource.Environment)
            : SourcedValue.Unknown;
    }

    /// <summary>Parses a variable's value as the runtime does, always as hexadecimal: "10" is 16, and so is "0x10".</summary>
    public static int? Hexadecimal(string value)
    {
        var digits = value.Trim();
        digits = digits is ['0', 'x' or 'X', ..] ? digits[2..] : digits;
        return int.TryParse(digits, NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var count) ? count : null;
    }

    // Parses a number in any format of C: 25, 0x19, 031.
    static int? AnyBase(string value) => value.Trim() switch
    {
        ['0', 'x' or 'X', ..] text => Hexadecimal(text),
        ['0', .. var octal] => Octal(octal),
        var text => int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var count) ? count : null,
    };

    static int? Octal(string digits) =>
        digits.Length <= 10 && digits.All(d => d is >= '0' and <= '7') ? digits.Aggregate(0, (sum, d) => (sum * 8) + (d - '0')) : null;
}
