namespace Tpwatch.Scoring.Scores;

/// <summary>So many of so many.</summary>
readonly record struct Share(int Part, int Of)
{
    /// <summary>0 to 1; nothing of nothing is not a number.</summary>
    public double Ratio => Of == 0 ? double.NaN : Part / (double)Of;

    public static Share operator +(Share one, Share other) => new(one.Part + other.Part, one.Of + other.Of);

    public static Share Sum(IEnumerable<Share> shares) => shares.Aggregate(default(Share), (sum, one) => sum + one);

    /// <summary><c>98.7 % (75 of 76)</c>; rounded down, so that a goal that is missed does not look met.</summary>
    public override string ToString() => Of == 0
        ? "none"
        : FormattableString.Invariant($"{Math.Floor(Ratio * 1000) / 10:0.0} % ({Part} of {Of})");
}
