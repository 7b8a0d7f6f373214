namespace Tpwatch.LiveTests.Packaging;

/// <summary>Tests of what is delivered: left out, with the reason, where it was not made.</summary>
public abstract class OfPackages
{
    /// <summary>Leaves the test out where nothing is there to test.</summary>
    protected OfPackages() => Assert.SkipUnless(PackedTool.IsMade, PackedTool.NotMade);
}
