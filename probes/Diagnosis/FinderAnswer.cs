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
        public Undecided(MissingKind kind, string text, HowTo? how = null)
            : this(new Missing(kind, text, how))
        {
        }

        /// <summary>What is not known, and how to find out.</summary>
        public string Missing => What.Text + What.How?.Command;
    }
}

/// <summary>Data that a rule lacks.</summary>
/// <param name="Kind">The kind of data, for programs.</param>
/// <param name="Text">The rest of a sentence that says what is not known.</param>
/// <param name="How">How to find out; null if the text does not say it.</param>
readonly record struct Missing(MissingKind Kind, string Text, HowTo? How = null);
