@rem The scripts of package.json say "exec" so that a POSIX shell steps aside and signals reach the program.
@rem The shell of Windows has no such word; this gives it one.
@%*
