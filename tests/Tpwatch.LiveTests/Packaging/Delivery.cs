namespace Tpwatch.LiveTests.Packaging;

/// <summary>How the tool came to the machine that it runs on.</summary>
public enum Delivery
{
    /// <summary>The package that is installed here, on the runtime that these tests run on.</summary>
    Package,

    /// <summary>The package for machines that have none of their own.</summary>
    AnyPackage,

    /// <summary>The package that is installed here, where .NET 11 is the only runtime.</summary>
    PackageOnNet11,

    /// <summary>One file that brings its runtime along, where there is none.</summary>
    SingleFile,
}
