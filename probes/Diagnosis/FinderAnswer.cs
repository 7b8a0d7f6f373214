using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>The answer of a finder: one of three.</summary>
abstract record FinderAnswer
{
    /// <summary>The problem was found.</summary>
    public sealed record Found(Finding Finding) : FinderAnswer;

    /// <summary>The problem is not there.</summary>
    public sealed record Clear : FinderAnswer;

    /// <summary>The capture cannot decide; <paramref name="What"/> would decide it.</summary>
    public sealed record Undecided(Missing What) : FinderAnswer
    {
        public Undecided(MissingKind kind, string text)
            : this(new Missing(kind, text))
        {
        }

        /// <summary>What is not known, and how to find out.</summary>
        public string Missing => What.Text;
    }
}

/// <summary>Data that a rule lacks.</summary>
/// <param name="Kind">The kind of data, for programs.</param>
/// <param name="Text">The rest of a sentence that says what is not known, and how to find out.</param>
readonly record struct Missing(MissingKind Kind, string Text);
