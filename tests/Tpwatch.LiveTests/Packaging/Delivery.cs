namespace Tpwatch.LiveTests.Packaging;

/// <summary>How the tool came to the machine that it runs on.</summary>
public enum Delivery
{
    /// <summary>The installed package, on the runtime that these tests run on.</summary>
    Package,

    /// <summary>The installed package where .NET 9 is the only runtime.</summary>
    PackageOnNet9,

    /// <summary>The installed package where .NET 8 is the only runtime.</summary>
    PackageOnNet8,

    /// <summary>One file that brings its runtime along, where there is none.</summary>
    SingleFile,
}
