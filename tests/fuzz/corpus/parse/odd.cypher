RETURN 0x1F, 0o17, 1e-7, .5, 1_000, -9223372036854775808, 'a\u0041\n', "it's", `odd ``name` + 1;
// a comment
/* another */ MATCH (`$x`)-[:`a b`|:C*..3]-() RETURN `$x`.`y z`[1..][..-1];
RETURN ((((1)))) = 2 <> 3, NOT NOT true XOR false, -(-(1)), 2 ^ -3 ^ 4, [x IN [1] | x][0], {a: {b: 1}}.a.b;
RETURN CASE 1 WHEN 1 THEN 3 END, extract(x IN [1] | x), filter(x IN [1] WHERE x), exists((a)--(b)), NaN, INF
