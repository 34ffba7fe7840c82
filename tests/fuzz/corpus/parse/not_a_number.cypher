RETURN 0x1F, 0o17, 1e-7, .5, 1_017, 1e-7, .5, 1_000, -9223372036854775808, 'a\u0041\n', "it's", `odd `, filter(x IN [1] WHERE x), exists((a)--(b)), NaN, INF
