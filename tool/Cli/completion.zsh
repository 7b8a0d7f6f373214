#compdef dotnet-tpwatch
# Completion of dotnet tpwatch in zsh. Load it with: source <(dotnet tpwatch completion zsh)
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }

_tpwatch() {
    local -a tool=("${words[1]/#\~/$HOME}") found
    local from=2 line value about
    if [[ ${words[1]:t} == dotnet ]]; then
        tool+=(tpwatch)
        from=3
    fi

    line=" ${(j: :)words[from,CURRENT-1]} $PREFIX"
    while IFS=$'\t' read -r value about; do
        found+=("${value//:/\\:}${about:+:$about}")
    done < <("${tool[@]}" "[suggest:${#line}]" "$line" 2>/dev/null)
    if (( $#found )); then
        _describe -t values 'dotnet tpwatch' found
    else
        _files
    fi
}

# The other words of dotnet are completed as before.
_tpwatch_dotnet() {
    if [[ $words[2] == tpwatch ]] && (( CURRENT > 2 )); then
        _tpwatch
    elif [[ -n $_tpwatch_before ]]; then
        $_tpwatch_before "$@"
    else
        _default
    fi
}

[[ ${_comps[dotnet]} == _tpwatch_dotnet ]] || typeset -g _tpwatch_before=${_comps[dotnet]}
compdef _tpwatch dotnet-tpwatch
compdef _tpwatch_dotnet dotnet
