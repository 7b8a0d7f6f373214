using System.Reflection;
using System.Text.RegularExpressions;
using Tpwatch.Events.Facts;
using Tpwatch.Explain;
using Tpwatch.Explain.Gaps;
using Tpwatch.Fixtures;
using Tpwatch.Fixtures.Catalogue;
using Tpwatch.Fixtures.Options;
using Tpwatch.Fixtures.Scenarios;
using Xunit;

namespace Tpwatch.Tests.Fixtures;

public sealed partial class CatalogueTests
{
    static readonly string Readme = Path.Combine(Root(), "fixtures", "README.md");

    [Fact]
    public void The_readme_is_what_the_catalogue_says() =>
        Assert.Equal(
            CatalogueMarkdown.Write(ScenarioCatalogue.All).TrimEnd(),
            File.ReadAllText(Readme).ReplaceLineEndings("\n").TrimEnd());

    [Fact]
    public void Every_scenario_file_is_in_the_catalogue()
    {
        var files = Directory.GetFiles(Path.Combine(Root(), "fixtures", "Scenarios"), "*.cs")
            .Where(file => File.ReadAllText(file).Contains(": IScenario", StringComparison.Ordinal))
            .Select(Path.GetFileNameWithoutExtension);

        Assert.Equal(ScenarioCatalogue.All.Select(scenario => scenario.GetType().Name).Order(), files.Order());
    }

    [Fact]
    public void A_scenario_is_named_as_its_class_in_small_letters() =>
        Assert.All(ScenarioCatalogue.All, scenario => Assert.Equal(
            scenario.Name, CapitalInside().Replace(scenario.GetType().Name, match => "-" + match.Value).ToLowerInvariant()));

    [Fact]
    public void Names_of_options_are_unique_within_a_scenario() =>
        Assert.All(ScenarioCatalogue.All, scenario =>
        {
            var names = CommonOptions.Of(scenario).Select(spec => spec.Name).ToArray();
            Assert.Equal(names.Distinct(), names);
        });

    [Fact]
    public void Defaults_are_in_range_pass_the_check_and_bound_the_run() =>
        Assert.All(ScenarioCatalogue.All, scenario =>
        {
            Assert.All(scenario.Options, spec => Assert.InRange(Assert.NotNull(spec.Default), spec.AtLeast, spec.AtMost));
            var values = new OptionParser(scenario, []).Parse().Values;
            scenario.Check(values);
            Assert.True(scenario.Capacity(values) > 0);
            Assert.True(values[CommonOptions.Seconds] > 0);
        });

    [Fact]
    public void Short_runs_and_variants_are_options_that_the_scenario_takes() =>
        Assert.All(ScenarioCatalogue.All, scenario =>
        {
            Assert.NotEmpty(scenario.ShortRun);
            IReadOnlyList<string>[] all = [scenario.ShortRun, .. scenario.Variants.Select(variant => variant.Words)];
            Assert.All(all, words => scenario.Check(new OptionParser(scenario, words).Parse().Values));
        });

    [Fact]
    public void A_short_run_never_shortens_what_blocks() =>
        Assert.All(ScenarioCatalogue.All, scenario =>
            Assert.DoesNotContain(scenario.ShortRun, word => word is "--hold" or "--work" or "--every"));

    [Fact]
    public void Expected_words_are_the_engines_words() =>
        Assert.All(Expectations(), expected =>
        {
            AssertKnown(Names<Verdict>(CamelCase), expected.Verdicts);
            AssertKnown(Names<GapRule>(Code), [.. expected.MustRules, .. expected.MustNotRules]);
            AssertKnown(Names<AdjustmentReason>(name => name), [.. expected.MustReasons, .. expected.MustNotReasons]);
        });

    [Fact]
    public void Expectations_are_complete_and_do_not_contradict_themselves() =>
        Assert.All(Expectations(), expected =>
        {
            Assert.NotEmpty(expected.Verdicts);
            Assert.NotEmpty(expected.MustRules.Concat(expected.MustNotRules));
            Assert.Empty(expected.MustRules.Intersect(expected.MustNotRules));
            Assert.Empty(expected.MustReasons.Intersect(expected.MustNotReasons));
            Assert.True(expected.Headline.AtLeast < expected.Headline.AtMost);
            Assert.NotEmpty(expected.Headline.Name);
        });

    [Fact]
    public void A_scenario_that_does_not_exist_is_refused_with_the_names_of_those_that_do()
    {
        var refused = Assert.Throws<RefusedException>(() => ScenarioCatalogue.Named(ScenarioCatalogue.All, "pool-bust"));

        Assert.Contains("pool-burst", refused.Hint, StringComparison.Ordinal);
    }

    static IEnumerable<ScenarioExpectation> Expectations() =>
        ScenarioCatalogue.All.SelectMany(scenario => scenario.Variants.Select(variant => variant.Expectation).Prepend(scenario.Expectation));

    static void AssertKnown(string[] known, IEnumerable<string> words) => Assert.All(words, word => Assert.Contains(word, known));

    static string[] Names<T>(Func<string, string> word)
        where T : struct, Enum => [.. Enum.GetNames<T>().Select(word)];

    static string CamelCase(string name) => char.ToLowerInvariant(name[0]) + name[1..];

    static string Code(string name) => RuleCode().Match(name).Value;

    static string Root() => typeof(CatalogueTests).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(metadata => metadata.Key == "RepositoryRoot").Value!;

    [GeneratedRegex("(?<!^)[A-Z]")]
    private static partial Regex CapitalInside();

    [GeneratedRegex("^G[0-9]+")]
    private static partial Regex RuleCode();
}
