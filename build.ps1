# The steps are in build.cs, which runs wherever the SDK does; see there.
& dotnet run (Join-Path $PSScriptRoot 'build.cs') -- @args
exit $LASTEXITCODE
