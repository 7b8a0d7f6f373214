using System.Collections.Immutable;
using System.Reflection;
using System.Text.RegularExpressions;
using Tpwatch.Fixtures;
using Tpwatch.Fixtures.Catalogue;
using Tpwatch.Fixtures.Options;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Fixtures.Services.Scenarios;
using Tpwatch.Fixtures.Web.Scenarios;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Fixtures;

public sealed partial class CatalogueTests
{
    static readonly ImmutableArray<IScenario> All = [.. ScenarioCatalogue.All, .. WebCatalogue.All, .. ServiceCatalogue.All];

    static readonly ScenarioExpectation[] Expectations =
        [.. All.SelectMany(scenario => scenario.Variants.Select(variant => variant.Expectation).Prepend(scenario.Expectation))];

    /// <summary>Verdicts that are agreed upon and that the engine may not have yet.</summary>
    static readonly string[] OfTheContract = ["starvedAtMax", "wedged", "held"];

    [Fact]
    public void The_readmes_are_what_the_catalogues_say()
    {
        Golden.VerifyPage("fixtures/README.md", Page(ScenarioCatalogue.All, CatalogueMarkdown.Introduction));
        Golden.VerifyPage("fixtures/Web/README.md", Page(WebCatalogue.All, WebCatalogue.Introduction));
        Golden.VerifyPage("fixtures/Services/README.md", Page(ServiceCatalogue.All, ServiceCatalogue.Introduction));
    }

    [Fact]
    public void Every_scenario_file_is_in_the_catalogue()
    {
        var files = new[] { "Scenarios", "Web/Scenarios", "Services/Scenarios" }
            .SelectMany(folder => Directory.GetFiles(Path.Combine(Root(), "fixtures", folder), "*.cs"))
            .Where(file => File.ReadAllText(file).Contains(": IScenario", StringComparison.Ordinal))
            .Select(Path.GetFileNameWithoutExtension);

        Assert.Equal(All.Select(scenario => scenario.GetType().Name).Order(), files.Order());
    }

    [Fact]
    public void A_scenario_is_named_as_its_class_in_small_letters() =>
        Assert.All(All, scenario => Assert.Equal(
            scenario.Name, CapitalInside().Replace(scenario.GetType().Name, match => "-" + match.Value).ToLowerInvariant()));

    [Fact]
    public void Names_of_options_are_unique_within_a_scenario() =>
        Assert.All(All, scenario =>
        {
            var names = CommonOptions.Of(scenario).Select(spec => spec.Name).ToArray();
            Assert.Equal(names.Distinct(), names);
        });

    [Fact]
    public void Defaults_are_in_range_pass_the_check_and_bound_the_run() =>
        Assert.All(All, scenario =>
        {
            Assert.All(scenario.Options, spec => Assert.InRange(Assert.NotNull(spec.Default), spec.AtLeast, spec.AtMost));
            var values = new OptionParser(scenario, []).Parse().Values;
            scenario.Check(values);
            Assert.True(scenario.Capacity(values) > 0);
            Assert.True(values[CommonOptions.Seconds] > 0);
        });

    [Fact]
    public void Short_runs_and_variants_are_options_that_the_scenario_takes() =>
        Assert.All(All, scenario =>
        {
            Assert.NotEmpty(scenario.ShortRun);
            IReadOnlyList<string>[] all = [scenario.ShortRun, .. scenario.Variants.Select(variant => variant.Words)];
            Assert.All(all, words => scenario.Check(new OptionParser(scenario, words).Parse().Values));
        });

    [Fact]
    public void A_short_run_never_shortens_what_blocks() =>
        Assert.All(All, scenario =>
            Assert.DoesNotContain(scenario.ShortRun, word => word is "--hold" or "--work" or "--every"));

    [Fact]
    public void Variants_are_understood_also_in_their_short_run() =>
        Assert.All(All, scenario => Assert.All(scenario.Variants, variant =>
            scenario.Check(new OptionParser(scenario, [.. variant.Words, .. scenario.ShortRun]).Parse().Values)));

    [Fact]
    public void Expected_words_are_the_engines_words() =>
        Assert.All(Expectations, expected =>
        {
            AssertKnown([.. Names<Verdict>(CamelCase), .. OfTheContract], expected.Verdicts);
            AssertKnown(Names<Mechanism>(Code), [.. expected.MustRules, .. expected.MustNotRules]);
            AssertKnown(Names<AdjustmentReason>(name => name), [.. expected.MustReasons, .. expected.MustNotReasons]);
        });

    [Fact]
    public void Expectations_are_complete_and_do_not_contradict_themselves() =>
        Assert.All(Expectations, expected =>
        {
            Assert.NotEmpty(expected.Verdicts);
            Assert.NotEmpty(expected.MustRules.Concat(expected.MustNotRules));
            Assert.Empty(expected.MustRules.Intersect(expected.MustNotRules));
            Assert.Empty(expected.MustReasons.Intersect(expected.MustNotReasons));
            Assert.True(expected.Headline.AtLeast <= expected.Headline.AtMost);
            Assert.NotEmpty(expected.Headline.Name);
        });

    [Fact]
    public void A_scenario_that_does_not_exist_is_refused_with_the_names_of_those_that_do()
    {
        var refused = Assert.Throws<RefusedException>(() => ScenarioCatalogue.Named(ScenarioCatalogue.All, "pool-bust"));

        Assert.Contains("pool-burst", refused.Hint, StringComparison.Ordinal);
    }

    static string Page(ImmutableArray<IScenario> scenarios, string introduction) => CatalogueMarkdown.Write(
        scenarios, introduction, FullRun.Read(Path.Combine(Root(), "fixtures", FullRun.FileName))).TrimEnd() + "\n";

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
